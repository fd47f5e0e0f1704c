//! What mechanisms add to the sums of filters, remembered.

use super::text::parsed;
use crate::error::Error;
use hockeystick::query::{Amounts, Filter};
use std::collections::HashMap;

/// Remembers what mechanisms cost: programs run the same ones again and again.
#[derive(Debug, Default)]
pub(crate) struct Costing {
    known: HashMap<(String, String), Amounts>,
}

/// So many are remembered.
const MOST: usize = 10_000;

impl Costing {
    /// What a mechanism, in text form, adds to the sums of a filter.
    pub(crate) fn amounts(&mut self, filter: &Filter, expression: &str) -> Result<Amounts, Error> {
        let key = (format!("{filter:?}"), expression.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let amounts = filter.amounts(&parsed(expression)?)?;
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(key, amounts.clone());
        Ok(amounts)
    }
}
