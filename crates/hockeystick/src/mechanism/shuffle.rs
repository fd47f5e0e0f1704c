//! The shuffle model.

use std::borrow::Cow;

use super::nested::Nested;
use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, Mechanism, Parameter, Value, check,
};

/// Each of `users` users runs a locally private mechanism on her own value, and a trusted shuffler publishes the reports in random order.
///
/// Neighbouring datasets differ in the value of one user \[Feldman, McMillan, Talwar 2021, arXiv 2012.12803, Theorem 3.1\].
#[derive(Debug, Clone, PartialEq)]
pub struct Shuffle {
    pub(super) mechanism: Nested,
    users: u64,
}

impl Shuffle {
    /// Shuffles the reports of so many users.
    pub fn new(mechanism: impl Into<Mechanism>, users: u64) -> Result<Self, InvalidParameter> {
        let users = check::of::<Self>("users").whole(users, 1, MOST_USERS)?;
        Ok(Self { mechanism: Nested::new(mechanism.into()), users })
    }

    /// What every user runs.
    pub fn mechanism(&self) -> &Mechanism {
        self.mechanism.get()
    }

    /// The number of users.
    pub fn users(&self) -> u64 {
        self.users
    }
}

/// δ is a sum over the number of users that may stand in for one.
const MOST_USERS: u64 = 1_000_000_000;

impl Described for Shuffle {
    const NAME: &'static str = "shuffle";
    const MEANING: &'static str = "shuffles the locally private reports of many users";
    const PAIR: &'static str = "(A+D, C-A+1-D) / (A+1-D, C-A+D) [Feldman21, Thm 3.1]";
    const EXAMPLE: &'static str = "shuffle(randomized_response(epsilon=2), users=10000)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("mechanism", Kind::Mechanism, "locally private mechanism of each user"),
        Parameter::required("users", Kind::Whole, "number of users whose reports are shuffled"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.mechanism("mechanism")?, arguments.whole("users")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("mechanism", Value::Mechanism(Cow::Borrowed(self.mechanism()))),
            ("users", Value::Whole(self.users)),
        ]
    }
}
