//! An account that is kept while mechanisms run: a training loop, a ledger.

use super::{Answer, Query};
use crate::{
    composition,
    error::Error,
    mechanism::{Algebra, Compose, Mechanism, Relation},
};
use std::collections::HashMap;

/// Adds up mechanisms one at a time, and answers at any moment.
///
/// What was added is kept as distinct mechanisms with their counts. Memory is proportional to the number of *distinct* mechanisms and
/// does not depend on the number of additions: adding the same step again takes a comparison, one that was added before the last
/// takes a look at its text, and neither takes any memory.
///
/// ```
/// use hockeystick::{mechanism::{Algebra, Gaussian}, query::Accountant};
///
/// let step = Gaussian::new(1.0)?.poisson(0.01)?.into();
/// let mut accountant = Accountant::default();
/// for _ in 0..1000 {
///     accountant.add(&step)?;
/// }
/// let answer = accountant.epsilon(1e-5)?;
/// assert!((answer.upper() - 1.828_236_666_5).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Accountant {
    relation: Relation,
    parts: Vec<(Mechanism, u64)>,
    /// Where a mechanism is among the parts, by its canonical text.
    places: HashMap<String, usize>,
    /// The part that was added to last.
    last: usize,
}

impl Accountant {
    /// An empty account under a relation.
    pub fn new(relation: Relation) -> Self {
        Self { relation, ..Self::default() }
    }

    /// Adds one use of a mechanism, which may be composed itself.
    pub fn add(&mut self, mechanism: &Mechanism) -> Result<(), Error> {
        self.add_times(mechanism, 1)
    }

    /// Adds several uses of a mechanism.
    pub fn add_times(&mut self, mechanism: &Mechanism, count: u64) -> Result<(), Error> {
        if let Some((last, total)) = self.parts.get_mut(self.last)
            && count > 0
            && last == mechanism
        {
            *total = composition::sum(*total, count, mechanism)?;
            return Ok(());
        }
        let repeated = mechanism.clone().repeat(count);
        let parts = composition::parts(&repeated)?;
        // All or nothing: what is refused leaves no trace.
        let mut totals = HashMap::new();
        for part in &parts {
            let text = part.mechanism.to_string();
            let known = self.places.get(&text).map_or(0, |&place| self.parts[place].1);
            let total = totals.entry(text).or_insert(known);
            *total = composition::sum(*total, part.count, part.mechanism)?;
        }
        for part in parts {
            let place = *self.places.entry(part.mechanism.to_string()).or_insert_with(|| {
                self.parts.push((part.mechanism.clone(), 0));
                self.parts.len() - 1
            });
            let total = &mut self.parts[place].1;
            *total = composition::sum(*total, part.count, part.mechanism)?;
            self.last = place;
        }
        Ok(())
    }

    /// The distinct mechanisms that were added, with their counts.
    pub fn parts(&self) -> &[(Mechanism, u64)] {
        &self.parts
    }

    /// All that was added; `None` if nothing was.
    pub fn mechanism(&self) -> Option<Mechanism> {
        let repeated = self.parts.iter().map(|(mechanism, count)| mechanism.clone().repeat(*count));
        match self.parts.as_slice() {
            [] => None,
            [_] => repeated.into_iter().next(),
            [_, _, ..] => Compose::new(repeated),
        }
    }

    /// `ε` at `δ` of all that was added; nothing spends nothing.
    ///
    /// # Guarantee
    /// As of [`Query::epsilon`].
    pub fn epsilon(&self, delta: f64) -> Result<Answer, Error> {
        self.ask(|query| query.epsilon(delta))
    }

    /// `δ` at `ε` of all that was added.
    ///
    /// # Guarantee
    /// As of [`Query::delta`].
    pub fn delta(&self, epsilon: f64) -> Result<Answer, Error> {
        self.ask(|query| query.delta(epsilon))
    }

    fn ask(&self, question: impl FnOnce(Query<'_>) -> Result<Answer, Error>) -> Result<Answer, Error> {
        let mechanism = match self.mechanism() {
            Some(mechanism) => mechanism,
            // A mechanism that says nothing.
            None => crate::mechanism::ApproximateDp::new(0.0, 0.0)?.into(),
        };
        question(Query::new(&mechanism).relation(self.relation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Mechanism {
        text.parse().unwrap()
    }

    #[test]
    fn adding_one_by_one_is_repeating() {
        let mut accountant = Accountant::default();
        for _ in 0..20 {
            accountant.add(&parsed("gaussian(sigma=4)")).unwrap();
            accountant.add(&parsed("randomized_response(epsilon=0.1)")).unwrap();
        }
        accountant.add(&parsed("(gaussian(sigma=4) + gdp(mu=0.1)) * 5")).unwrap();
        assert_eq!(accountant.parts().iter().map(|(_, count)| *count).collect::<Vec<_>>(), [25, 20, 5]);
        let whole =
            parsed("gaussian(sigma=4) * 25 + randomized_response(epsilon=0.1) * 20 + gdp(mu=0.1) * 5");
        let (answer, expected) = (accountant.epsilon(1e-6).unwrap(), crate::epsilon(&whole, 1e-6).unwrap());
        assert_eq!((answer.lower(), answer.upper()), (expected.lower(), expected.upper()));
    }

    /// What an account occupies: parts, the table of their places, and their texts.
    fn occupied(accountant: &Accountant) -> (usize, usize, usize) {
        let texts = accountant.places.keys().map(String::capacity).sum();
        (accountant.parts.capacity(), accountant.places.capacity(), texts)
    }

    #[test]
    fn memory_does_not_grow_with_additions() {
        let steps = [
            parsed("poisson(gaussian(sigma=1), rate=0.01)"),
            parsed("laplace(scale=5)"),
            parsed("(gaussian(sigma=4) + laplace(scale=5)) * 3"),
        ];
        let mut accountant = Accountant::default();
        let round = |accountant: &mut Accountant| {
            for step in steps.iter().chain([&steps[0], &steps[0]]) {
                accountant.add(step).unwrap();
            }
        };
        round(&mut accountant);
        let first = occupied(&accountant);
        for _ in 0..2000 {
            round(&mut accountant);
        }
        assert_eq!(occupied(&accountant), first);
        assert_eq!(
            accountant.parts().iter().map(|(_, count)| *count).collect::<Vec<_>>(),
            [6003, 8004, 6003]
        );
        // A mechanism that is new is kept; nothing says how many there will be.
        accountant.add(&parsed("laplace(scale=6)")).unwrap();
        assert_eq!(accountant.parts().len(), 4);
    }

    #[test]
    fn nothing_spends_nothing() {
        let accountant = Accountant::new(Relation::Replace);
        assert_eq!(accountant.epsilon(1e-6).unwrap().upper(), 0.0);
        assert_eq!(accountant.delta(0.0).unwrap().upper(), 0.0);
    }

    #[test]
    fn too_many_uses_are_refused() {
        let mut accountant = Accountant::default();
        accountant.add_times(&parsed("gaussian(sigma=4)"), 1_000_000_000_000_000).unwrap();
        assert!(accountant.add(&parsed("gaussian(sigma=4)")).is_err());
        assert!(accountant.add_times(&parsed("gdp(mu=1)"), 0).is_err());
        assert!(accountant.add_times(&parsed("gaussian(sigma=4)"), 0).is_err());
        // A sum of which one part is too much is refused as a whole.
        assert!(accountant.add(&parsed("gdp(mu=1) + gaussian(sigma=4)")).is_err());
        assert_eq!(accountant.parts(), [(parsed("gaussian(sigma=4)"), 1_000_000_000_000_000)]);
    }
}
