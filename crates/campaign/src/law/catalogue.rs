//! Every law, by name.

use super::{agreement, calibrated, findings::Findings, monotone, regrouped, subject::Subject, written};
use hockeystick_chance::Random;

/// A law, and how often it is worth its price: one case in so many.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Its name in ledgers and regression tests.
    pub name: &'static str,
    /// Asked of one case in so many.
    pub one_in: u64,
    pub(super) check: fn(&Subject<'_>, &mut Random, &mut Findings),
}

/// Every law.
pub const LAWS: &[Law] = &[
    Law { name: "inverse", one_in: 2, check: agreement::inverse },
    Law { name: "smaller-delta", one_in: 4, check: monotone::smaller_delta },
    Law { name: "more-uses", one_in: 4, check: monotone::more_uses },
    Law { name: "less-noise", one_in: 3, check: monotone::less_noise },
    Law { name: "regrouped", one_in: 4, check: regrouped::regrouped },
    Law { name: "written", one_in: 4, check: written::written },
    Law { name: "directions", one_in: 3, check: agreement::directions },
    Law { name: "engines", one_in: 6, check: agreement::engines },
    Law { name: "upper-bounds", one_in: 15, check: agreement::upper_bounds },
    Law { name: "lattice", one_in: 200, check: agreement::lattice },
    Law { name: "published", one_in: 1500, check: agreement::published },
    Law { name: "calibrated", one_in: 500, check: calibrated::calibrated },
];

/// The law of this name.
pub fn named(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}
