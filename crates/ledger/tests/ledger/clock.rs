//! A store with a clock that tests set.

use crate::place::Place;
use hockeystick_ledger::{
    Ledger, Time,
    store::{Access, Record, Store, StoreError, Value},
};
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

/// A clock that shows what it is told.
#[derive(Clone, Debug)]
pub(crate) struct Clock(Arc<AtomicI64>);

impl Clock {
    pub(crate) fn at(text: &str) -> Self {
        let time: Time = text.parse().unwrap();
        Self(Arc::new(AtomicI64::new(time.0)))
    }

    /// Goes on by so many milliseconds; back, if that is below 0.
    pub(crate) fn go_on(&self, milliseconds: i64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

struct Clocked {
    store: Box<dyn Store>,
    clock: Clock,
}

/// A new ledger at a place, with a clock.
pub(crate) fn ledger(place: &Place, clock: &Clock) -> Ledger {
    Ledger::on(Box::new(Clocked { store: place.store(), clock: clock.clone() }))
}

impl Store for Clocked {
    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.store.begin(access)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.store.commit()
    }

    fn roll_back(&mut self) -> Result<(), StoreError> {
        self.store.roll_back()
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.store.execute(sql, values)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Record>, StoreError> {
        self.store.query(sql, values)
    }

    fn now(&mut self) -> Result<Time, StoreError> {
        Ok(Time(self.clock.0.load(Ordering::SeqCst)))
    }

    fn back_up(&mut self, to: &str) -> Result<bool, StoreError> {
        self.store.back_up(to)
    }
}
