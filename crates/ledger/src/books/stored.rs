//! Books in the tables of a store: the one place with SQL, whatever the store is.

use super::{Account, Books, Head, Hold, Opened, Part, Row, chain::hash};
use crate::{
    error::Error,
    store::{Cell, Record, Store, Value},
};
use serde::de::DeserializeOwned;
use std::collections::HashMap;

/// The tables of a store, within a transaction that somebody else begins and ends. What was read is remembered: nobody else writes
/// meanwhile, and a server is a round trip away.
pub(crate) struct Stored<'a> {
    store: &'a mut dyn Store,
    head: Option<Head>,
    accounts: HashMap<String, Option<Account>>,
    holds: HashMap<String, Vec<Hold>>,
}

impl<'a> Stored<'a> {
    pub(crate) fn new(store: &'a mut dyn Store) -> Self {
        Self { store, head: None, accounts: HashMap::new(), holds: HashMap::new() }
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Record>, Error> {
        Ok(self.store.query(sql, values)?)
    }

    fn first(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Option<Record>, Error> {
        Ok(self.query(sql, values)?.into_iter().next())
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), Error> {
        Ok(self.store.execute(sql, values)?)
    }

    /// At most so many rows after a place in the chain; of one budget, if it is named.
    pub(crate) fn rows(&mut self, after: u64, most: u64, budget: Option<&str>) -> Result<Vec<Row>, Error> {
        let (after, most) = (Value::Whole(whole(after)?), Value::Whole(whole(most)?));
        let records = match budget {
            None => self.query(
                "SELECT sequence, time, kind, budget, reference, body, hash FROM entry \
                 WHERE sequence > $1 ORDER BY sequence LIMIT $2",
                &[after, most],
            ),
            Some(name) => self.query(
                "SELECT sequence, time, kind, budget, reference, body, hash FROM entry \
                 WHERE sequence > $1 AND budget = $2 ORDER BY sequence LIMIT $3",
                &[after, Value::Text(name), most],
            ),
        }?;
        records.iter().map(row).collect()
    }

    /// How many rows a table has.
    pub(crate) fn count(&mut self, table: Table) -> Result<u64, Error> {
        let record = self.first(table.count(), &[])?;
        let count = record.map(|record| record.whole(0)).transpose()?;
        number(count.unwrap_or(0))
    }
}

/// Tables with rows that verification counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table {
    Parts,
    Holds,
    References,
}

impl Table {
    fn count(self) -> &'static str {
        match self {
            Self::Parts => "SELECT count(*) FROM part",
            Self::Holds => "SELECT count(*) FROM hold",
            Self::References => "SELECT count(*) FROM reference",
        }
    }
}

fn row(record: &Record) -> Result<Row, Error> {
    Ok(Row {
        sequence: number(record.whole(0)?)?,
        time: record.text(1)?.to_owned(),
        kind: record.text(2)?.to_owned(),
        budget: record.text(3)?.to_owned(),
        reference: match record.cell(4)? {
            Cell::Null => None,
            _ => Some(record.text(4)?.to_owned()),
        },
        body: record.text(5)?.to_owned(),
        hash: record.text(6)?.to_owned(),
    })
}

fn opened(record: &Record, at: usize) -> Result<Opened, Error> {
    let closed = match record.cell(at + 1)? {
        Cell::Null => None,
        _ => Some(number(record.whole(at + 1)?)?),
    };
    Ok(Opened { opened: number(record.whole(at)?)?, closed })
}

/// A value has one text: any other was not written here.
fn read<T: DeserializeOwned + serde::Serialize>(what: &str, json: &str) -> Result<T, Error> {
    let value = serde_json::from_str(json)
        .map_err(|error| Error::damaged(format!("{what} cannot be read: {error}")))?;
    if written(&value) == json { Ok(value) } else { Err(Error::damaged(format!("{what} was changed"))) }
}

fn written<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("books have a text form")
}

/// Databases have signed numbers only.
fn whole(number: u64) -> Result<i64, Error> {
    i64::try_from(number).map_err(|_| Error::damaged(format!("{number} is too large")))
}

fn number(whole: i64) -> Result<u64, Error> {
    u64::try_from(whole).map_err(|_| Error::damaged(format!("{whole} is below 0")))
}

impl Books for Stored<'_> {
    fn head(&mut self) -> Result<Head, Error> {
        if let Some(known) = &self.head {
            return Ok(known.clone());
        }
        let heads = self.query("SELECT sequence, time, hash FROM head", &[])?;
        let [head] = heads.as_slice() else {
            return Err(Error::damaged(format!("the chain has {} ends instead of one", heads.len())));
        };
        let sequence = number(head.whole(0)?)?;
        let head = if sequence == 0 {
            Head::first()
        } else {
            Head { sequence, time: head.text(1)?.parse()?, hash: head.text(2)?.to_owned() }
        };
        Ok(self.head.insert(head).clone())
    }

    fn append(&mut self, row: &Row) -> Result<(), Error> {
        self.head = None;
        let sequence = Value::Whole(whole(row.sequence)?);
        let reference = row.reference.as_deref().map_or(Value::Null, Value::Text);
        self.execute(
            "INSERT INTO entry (sequence, time, kind, budget, reference, body, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                sequence,
                Value::Text(&row.time),
                Value::Text(&row.kind),
                Value::Text(&row.budget),
                reference,
                Value::Text(&row.body),
                Value::Text(&row.hash),
            ],
        )?;
        self.execute(
            "UPDATE head SET sequence = $1, time = $2, hash = $3",
            &[sequence, Value::Text(&row.time), Value::Text(&row.hash)],
        )?;
        self.head = Some(Head::after(row, row.time.parse()?));
        Ok(())
    }

    fn row(&mut self, sequence: u64) -> Result<Option<Row>, Error> {
        let record = self.first(
            "SELECT sequence, time, kind, budget, reference, body, hash FROM entry WHERE sequence = $1",
            &[Value::Whole(whole(sequence)?)],
        )?;
        record.as_ref().map(row).transpose()
    }

    fn names(&mut self) -> Result<Vec<String>, Error> {
        let records = self.query("SELECT name FROM account ORDER BY name", &[])?;
        records.iter().map(|record| Ok(record.text(0)?.to_owned())).collect()
    }

    fn account(&mut self, name: &str) -> Result<Option<Account>, Error> {
        if let Some(known) = self.accounts.get(name) {
            return Ok(known.clone());
        }
        let record = self.first("SELECT state FROM account WHERE name = $1", &[Value::Text(name)])?;
        let account: Option<Account> =
            record.map(|record| read("an account", record.text(0)?)).transpose()?;
        self.accounts.insert(name.to_owned(), account.clone());
        Ok(account)
    }

    fn put_account(&mut self, account: &Account) -> Result<(), Error> {
        self.execute(
            "INSERT INTO account (name, state) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET state = excluded.state",
            &[Value::Text(&account.budget.name), Value::Text(&written(account))],
        )?;
        self.accounts.insert(account.budget.name.clone(), Some(account.clone()));
        Ok(())
    }

    fn parts(&mut self, account: &str) -> Result<Vec<Part>, Error> {
        let records = self.query(
            "SELECT id, mechanism, uses FROM part WHERE account = $1 ORDER BY mechanism",
            &[Value::Text(account)],
        )?;
        let part = |record: &Record| {
            let (id, mechanism) = (record.text(0)?, record.text(1)?);
            if hash(mechanism) != id {
                return Err(Error::damaged(format!("the uses of {mechanism} stand under another hash")));
            }
            Ok((mechanism.to_owned(), number(record.whole(2)?)?))
        };
        records.iter().map(part).collect()
    }

    fn uses(&mut self, account: &str, mechanism: &str) -> Result<u64, Error> {
        let record = self.first(
            "SELECT uses FROM part WHERE account = $1 AND id = $2",
            &[Value::Text(account), Value::Text(&hash(mechanism))],
        )?;
        record.map_or(Ok(0), |record| number(record.whole(0)?))
    }

    fn put_uses(&mut self, account: &str, mechanism: &str, uses: u64) -> Result<(), Error> {
        self.execute(
            "INSERT INTO part (account, id, mechanism, uses) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (account, id) DO UPDATE SET uses = excluded.uses",
            &[
                Value::Text(account),
                Value::Text(&hash(mechanism)),
                Value::Text(mechanism),
                Value::Whole(whole(uses)?),
            ],
        )
    }

    fn clear_parts(&mut self, account: &str) -> Result<(), Error> {
        self.execute("DELETE FROM part WHERE account = $1", &[Value::Text(account)])
    }

    fn holds(&mut self, account: &str) -> Result<Vec<Hold>, Error> {
        if let Some(known) = self.holds.get(account) {
            return Ok(known.clone());
        }
        let records = self.query(
            "SELECT reference, state FROM hold WHERE account = $1 ORDER BY reference",
            &[Value::Text(account)],
        )?;
        let hold = |record: &Record| {
            let hold: Hold = read("a reservation", record.text(1)?)?;
            if hold.reference == record.text(0)? {
                Ok(hold)
            } else {
                Err(Error::damaged("a reservation has another reference"))
            }
        };
        let holds = records.iter().map(hold).collect::<Result<Vec<Hold>, Error>>()?;
        self.holds.insert(account.to_owned(), holds.clone());
        Ok(holds)
    }

    fn put_hold(&mut self, hold: &Hold, accounts: &[String]) -> Result<(), Error> {
        self.holds.clear();
        for account in accounts {
            self.execute(
                "INSERT INTO hold (account, reference, state) VALUES ($1, $2, $3)",
                &[Value::Text(account), Value::Text(&hold.reference), Value::Text(&written(hold))],
            )?;
        }
        Ok(())
    }

    fn remove_hold(&mut self, reference: &str) -> Result<(), Error> {
        self.holds.clear();
        self.execute("DELETE FROM hold WHERE reference = $1", &[Value::Text(reference)])
    }

    fn opened(&mut self, reference: &str) -> Result<Option<Opened>, Error> {
        let record =
            self.first("SELECT opened, closed FROM reference WHERE id = $1", &[Value::Text(reference)])?;
        record.map(|record| opened(&record, 0)).transpose()
    }

    fn put_opened(&mut self, reference: &str, opened: Opened) -> Result<(), Error> {
        let closed = opened.closed.map(whole).transpose()?;
        self.execute(
            "INSERT INTO reference (id, opened, closed) VALUES ($1, $2, $3) \
             ON CONFLICT (id) DO UPDATE SET closed = excluded.closed",
            &[
                Value::Text(reference),
                Value::Whole(whole(opened.opened)?),
                closed.map_or(Value::Null, Value::Whole),
            ],
        )
    }
}
