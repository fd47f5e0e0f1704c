//! One question of a campaign.

use hockeystick::mechanism::{Mechanism, Relation};
use std::fmt;

/// A mechanism, who its neighbours are, and the δ at which ε is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is released.
    pub mechanism: Mechanism,
    /// Which datasets are neighbours.
    pub relation: Relation,
    /// Above 0 and below 1.
    pub delta: f64,
}

impl Case {
    /// Reads what [`Display`](fmt::Display) writes: `EXPRESSION | RELATION | DELTA`.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.rsplitn(3, '|').collect();
        let [delta, relation, expression] = fields[..] else {
            return Err(format!("{line:?}: write EXPRESSION | RELATION | DELTA"));
        };
        Ok(Self {
            mechanism: expression.trim().parse().map_err(|error| format!("{error}"))?,
            relation: relation.trim().parse().map_err(|error| format!("{error}"))?,
            delta: delta.trim().parse().map_err(|_| format!("{delta:?} is no number"))?,
        })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {:?}", self.mechanism, self.relation, self.delta)
    }
}

#[test]
fn a_line_is_read_back() {
    let line = "poisson(gaussian(sigma=0.7), rate=0.01) * 1000 + laplace(scale=5) | add-remove | 1e-300";
    assert_eq!(Case::parse(line).unwrap().to_string(), line);
    assert!(Case::parse("gaussian(sigma=1) | add").is_err());
}
