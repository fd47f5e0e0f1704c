//! The state machine against a model that counts in whole numbers.
//!
//! ε is counted in 1024ths, which doubles add exactly, so the model needs no rounding.

use crate::{
    clock::{Clock, ledger},
    place::{Kind, Place, on_every_store},
};
use hockeystick::mechanism::Mechanism;
use hockeystick_ledger::{Budget, Ledger, Outcome, Period, Reserve, Span, Spend};
use proptest::{prelude::*, test_runner::TestRunner};
use std::collections::BTreeMap;

const DAY: i64 = 86_400_000;
const NAMES: [&str; 3] = ["root", "daily", "study"];
/// In 1024ths.
const LIMITS: [u64; 3] = [900, 300, 400];
/// Who is charged with whom: `study` is below `daily`, which is below `root`.
const ABOVE: [&[usize]; 3] = [&[0], &[1, 0], &[2, 1, 0]];

#[derive(Clone, Debug)]
enum Step {
    Spend { budget: usize, amount: u64, reference: u8 },
    Reserve { budget: usize, amount: u64, reference: u8, hours: i64 },
    Commit { reference: u8, amount: Option<u64> },
    Release { reference: u8 },
    Wait { hours: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let (budget, amount, reference) = (0..3_usize, 1..200_u64, 0..12_u8);
    prop_oneof![
        4 => (budget.clone(), amount.clone(), reference.clone())
            .prop_map(|(budget, amount, reference)| Step::Spend { budget, amount, reference }),
        3 => (budget, amount.clone(), reference.clone(), 1..40_i64)
            .prop_map(|(budget, amount, reference, hours)| Step::Reserve { budget, amount, reference, hours }),
        2 => (reference.clone(), prop::option::of(amount))
            .prop_map(|(reference, amount)| Step::Commit { reference, amount }),
        1 => reference.prop_map(|reference| Step::Release { reference }),
        2 => (1..30_i64).prop_map(|hours| Step::Wait { hours }),
    ]
}

/// What a reference stands for.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    Spent { budget: usize, amount: u64 },
    Held { budget: usize, amount: u64, until: i64 },
    Committed { budget: usize, reserved: u64, amount: u64 },
    Released { budget: usize, reserved: u64 },
}

#[derive(Default)]
struct Model {
    now: i64,
    /// The last day on which `daily` was charged, and what was.
    day: i64,
    spent: [u64; 3],
    known: BTreeMap<u8, Known>,
}

impl Model {
    fn spent(&self, account: usize) -> u64 {
        if account == 1 && self.now.div_euclid(DAY) > self.day { 0 } else { self.spent[account] }
    }

    fn held(&self, account: usize, without: Option<u8>) -> u64 {
        let held = self.known.iter().map(|(reference, known)| match known {
            Known::Held { budget, amount, until }
                if ABOVE[*budget].contains(&account) && *until > self.now && Some(*reference) != without =>
            {
                *amount
            }
            _ => 0,
        });
        held.sum()
    }

    fn fits(&self, budget: usize, amount: u64, without: Option<u8>) -> bool {
        ABOVE[budget]
            .iter()
            .all(|&account| self.spent(account) + self.held(account, without) + amount <= LIMITS[account])
    }

    fn charge(&mut self, budget: usize, amount: u64) {
        for &account in ABOVE[budget] {
            self.spent[account] = self.spent(account) + amount;
        }
        if ABOVE[budget].contains(&1) {
            self.day = self.now.div_euclid(DAY);
        }
    }

    /// Is the step granted?
    fn take(&mut self, step: &Step) -> bool {
        match *step {
            Step::Wait { hours } => {
                self.now += hours * DAY / 24;
                true
            }
            Step::Spend { budget, amount, reference } => match self.known.get(&reference) {
                Some(known) => *known == Known::Spent { budget, amount },
                None if self.fits(budget, amount, None) => {
                    self.charge(budget, amount);
                    self.known.insert(reference, Known::Spent { budget, amount });
                    true
                }
                None => false,
            },
            Step::Reserve { budget, amount, reference, hours } => match self.known.get(&reference) {
                Some(
                    Known::Held { budget: known, amount: reserved, .. }
                    | Known::Committed { budget: known, reserved, .. }
                    | Known::Released { budget: known, reserved },
                ) => (*known, *reserved) == (budget, amount),
                Some(Known::Spent { .. }) => false,
                None if self.fits(budget, amount, None) => {
                    let until = self.now + hours * DAY / 24;
                    self.known.insert(reference, Known::Held { budget, amount, until });
                    true
                }
                None => false,
            },
            Step::Commit { reference, amount } => match self.known.get(&reference).cloned() {
                Some(Known::Held { budget, amount: reserved, .. }) => {
                    let used = amount.unwrap_or(reserved);
                    if used > reserved || !self.fits(budget, used, Some(reference)) {
                        return false;
                    }
                    self.charge(budget, used);
                    self.known.insert(reference, Known::Committed { budget, reserved, amount: used });
                    true
                }
                Some(Known::Committed { reserved, amount: committed, .. }) => {
                    amount.unwrap_or(reserved) == committed
                }
                _ => false,
            },
            Step::Release { reference } => match self.known.get(&reference).cloned() {
                Some(Known::Held { budget, amount, until }) => {
                    // What has run out can still be committed if it fits; the ledger notes that it ran out when it looks.
                    if until > self.now {
                        self.known.insert(reference, Known::Released { budget, reserved: amount });
                    }
                    true
                }
                Some(Known::Released { .. }) => true,
                _ => false,
            },
        }
    }
}

fn mechanism(amount: u64) -> Mechanism {
    format!("dp(epsilon={})", amount as f64 / 1024.0).parse().unwrap()
}

fn take(ledger: &mut Ledger, clock: &Clock, step: &Step) -> bool {
    let outcome = match *step {
        Step::Wait { hours } => {
            clock.go_on(hours * DAY / 24);
            return true;
        }
        Step::Spend { budget, amount, reference } => {
            ledger.spend(&Spend::new(NAMES[budget], mechanism(amount), reference.to_string()))
        }
        Step::Reserve { budget, amount, reference, hours } => ledger.reserve(&Reserve {
            budget: NAMES[budget].into(),
            mechanism: mechanism(amount),
            reference: reference.to_string(),
            expires: Span(hours * DAY / 24),
            note: None,
        }),
        Step::Commit { reference, amount } => {
            ledger.commit(&reference.to_string(), amount.map(mechanism).as_ref())
        }
        Step::Release { reference } => ledger.release(&reference.to_string()),
    };
    matches!(outcome.unwrap(), Outcome::Charged(_))
}

on_every_store!(the_ledger_does_as_the_model);

fn the_ledger_does_as_the_model(kind: Kind) {
    let config = ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() };
    let run =
        TestRunner::new(config).run(&prop::collection::vec(step(), 1..40), |steps| agrees(kind, &steps));
    run.unwrap_or_else(|error| panic!("{error}"));
}

fn agrees(kind: Kind, steps: &[Step]) -> Result<(), TestCaseError> {
    let (place, clock) = (Place::new(kind), Clock::at("1970-01-01T00:00:00.000Z"));
    let mut ledger = ledger(&place, &clock);
    let limit = |i: usize| Budget::new(NAMES[i], LIMITS[i] as f64 / 1024.0, 0.0);
    ledger.budget(&limit(0)).unwrap();
    ledger.budget(&limit(1).below("root").renews(Period::Day)).unwrap();
    ledger.budget(&limit(2).below("daily")).unwrap();
    let mut model = Model::default();
    for (at, step) in steps.iter().enumerate() {
        let expected = model.take(step);
        let granted = take(&mut ledger, &clock, step);
        prop_assert_eq!(granted, expected, "step {} of {:?}", at, steps);
        for (account, name) in NAMES.iter().enumerate() {
            let standing = ledger.status(Some(name)).unwrap().remove(0);
            let (spent, held) = (model.spent(account), model.held(account, None));
            prop_assert_eq!(standing.spent.upper * 1024.0, spent as f64, "{} after {:?}", name, step);
            prop_assert_eq!(standing.with_held * 1024.0, (spent + held) as f64, "{} after {:?}", name, step);
        }
    }
    let verified = ledger.verify(None).unwrap();
    prop_assert!(verified.findings.is_empty(), "{:?}", verified.findings);
    Ok(())
}
