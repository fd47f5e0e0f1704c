//! An account that is kept while mechanisms run: a training loop, a ledger.

use super::{
    Answer, Query,
    arguments::{check, check_delta, check_epsilon},
    folded::{Folded, FoldedParts},
};
use crate::{
    composition::{self, Part},
    engine::Goal,
    error::Error,
    mechanism::{Algebra, Compose, Mechanism, Relation},
};
use std::collections::HashMap;

/// Adds up mechanisms one at a time, and answers at any moment.
///
/// What was added is kept as distinct mechanisms with their counts, a ledger that can be read and saved. Memory is proportional to the
/// number of *distinct* mechanisms and does not depend on the number of additions: adding the same step again takes a comparison, one
/// that was added before the last takes a look at its text, and neither takes any memory.
///
/// An account that is [`bounded`](Self::bounded) lists no more than so many distinct mechanisms, for noise that changes with every step,
/// say. Those that it does not list any more are folded into their moments on fixed lines, from which δ and ε follow as certified
/// intervals, a little wider; what they were is forgotten.
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
    /// So many parts are listed, if there is a limit.
    most_listed: Option<usize>,
    folded: Option<Folded>,
}

impl Accountant {
    /// An empty account under a relation.
    pub fn new(relation: Relation) -> Self {
        Self { relation, ..Self::default() }
    }

    /// An empty account that lists no more than `most_listed` distinct mechanisms at a time, at least one; a few hundred are a good number. When
    /// there are more, all are folded at once, which takes milliseconds for each; questions then take as long for those that are listed.
    ///
    /// ```
    /// use hockeystick::{mechanism::{Gaussian, Relation}, query::Accountant};
    ///
    /// let mut accountant = Accountant::bounded(Relation::AddRemove, 8);
    /// for step in 0..20 {
    ///     // The noise falls with every step.
    ///     accountant.add(&Gaussian::new(4.0 - 0.1 * f64::from(step))?.into())?;
    /// }
    /// assert_eq!((accountant.folded().mechanisms, accountant.parts().len()), (16, 4));
    /// let answer = accountant.epsilon(1e-5)?;
    /// assert!(answer.upper() - answer.lower().unwrap() < 1e-8 * answer.upper());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounded(relation: Relation, most_listed: usize) -> Self {
        Self { relation, most_listed: Some(most_listed.max(1)), ..Self::default() }
    }

    /// Adds one use of a mechanism, which may be composed itself.
    pub fn add(&mut self, mechanism: &Mechanism) -> Result<(), Error> {
        self.add_times(mechanism, 1)
    }

    /// Adds several uses of a mechanism.
    ///
    /// # Errors
    /// If there are too many uses, or if the account is bounded and the mechanism could not be folded; nothing is added then.
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
        let mut unknown = 0;
        for part in &parts {
            let text = part.mechanism.to_string();
            let known = self.places.get(&text).map_or(0, |&place| self.parts[place].1);
            if known == 0 && !totals.contains_key(&text) {
                unknown += 1;
                self.folded.as_ref().map_or(Ok(()), |folded| folded.check(part.mechanism))?;
            }
            let total = totals.entry(text).or_insert(known);
            *total = composition::sum(*total, part.count, part.mechanism)?;
        }
        if self.most_listed.is_some_and(|most| self.parts.len() + unknown > most) {
            return self.add_and_fold(&parts);
        }
        self.list(&parts)
    }

    fn list(&mut self, parts: &[Part<'_>]) -> Result<(), Error> {
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

    /// Folds what is listed, then lists more; if that is too much by itself, folds it as well.
    fn add_and_fold(&mut self, parts: &[Part<'_>]) -> Result<(), Error> {
        let mut next = Self { most_listed: self.most_listed, ..Self::new(self.relation) };
        next.folded = Some(self.fold(&self.parts, parts)?);
        next.list(parts)?;
        if self.most_listed.is_some_and(|most| next.parts.len() > most) {
            next.folded = Some(next.fold(&next.parts, parts)?);
            (next.parts, next.places, next.last) = Default::default();
        }
        *self = next;
        Ok(())
    }

    /// What was folded together with more, on lines that suit that and what is `expected`.
    fn fold(&self, listed: &[(Mechanism, u64)], expected: &[Part<'_>]) -> Result<Folded, Error> {
        match &self.folded {
            Some(folded) => folded.with(listed),
            None => {
                let expected = expected.iter().map(|part| (part.mechanism.clone(), part.count));
                let all: Vec<(Mechanism, u64)> = listed.iter().cloned().chain(expected).collect();
                Folded::suited_to(&all, self.relation)?.with(listed)
            }
        }
    }

    /// The distinct mechanisms that were added, with their counts; of a bounded account those that are still listed.
    pub fn parts(&self) -> &[(Mechanism, u64)] {
        &self.parts
    }

    /// What is not listed any more: nothing, unless the account is bounded.
    pub fn folded(&self) -> FoldedParts {
        self.folded.as_ref().map_or_else(FoldedParts::default, |folded| folded.summary)
    }

    /// All that was added; `None` if nothing was, or if some of it is folded and cannot be written down any more.
    pub fn mechanism(&self) -> Option<Mechanism> {
        if self.folded.is_some() {
            return None;
        }
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
        match &self.folded {
            Some(folded) => {
                check_delta(delta)?;
                // Moments do not know the largest loss.
                check(
                    delta > 0.0,
                    "delta",
                    delta,
                    "above 0 for a bounded account",
                    "keep an account without a bound",
                )?;
                Ok(folded.with(&self.parts)?.answer(Goal::Epsilon { delta }, folded.summary))
            }
            None => self.ask(|query| query.epsilon(delta)),
        }
    }

    /// `δ` at `ε` of all that was added.
    ///
    /// # Guarantee
    /// As of [`Query::delta`].
    pub fn delta(&self, epsilon: f64) -> Result<Answer, Error> {
        match &self.folded {
            Some(folded) => {
                check_epsilon(epsilon)?;
                Ok(folded.with(&self.parts)?.answer(Goal::Delta { epsilon }, folded.summary))
            }
            None => self.ask(|query| query.delta(epsilon)),
        }
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

    /// The i-th of many distinct mechanisms of several kinds, in both directions alike or not.
    fn distinct(i: u32) -> Mechanism {
        let part = |turn: f64| (f64::from(i) * turn).fract();
        parsed(&match i % 4 {
            0 => format!("laplace(scale={})", 4.0 + 8.0 * part(0.618)),
            1 => format!("randomized_response(epsilon={})", 0.1 + 0.2 * part(0.618)),
            2 => format!("gaussian(sigma={})", 8.0 + 9.0 * part(0.618)),
            _ => format!(
                "poisson(gaussian(sigma={}), rate={})",
                0.9 + 0.4 * part(0.618),
                0.01 + 0.04 * part(0.414)
            ),
        })
    }

    fn assert_overlap(bounded: &Answer, full: &Answer, width: f64) {
        let (lower, upper) = (bounded.lower().unwrap(), bounded.upper());
        assert!(lower <= full.upper() && full.lower().unwrap() <= upper, "{bounded:?} and {full:?}");
        assert!(upper - lower <= width * upper, "{bounded:?}");
    }

    #[test]
    fn what_is_folded_spends_as_much_as_if_it_were_listed() {
        let mut bounded = Accountant::bounded(Relation::AddRemove, 24);
        let mut full = Accountant::new(Relation::AddRemove);
        for i in 0..64 {
            for accountant in [&mut bounded, &mut full] {
                accountant.add_times(&distinct(i), 1 + u64::from(i % 3)).unwrap();
            }
        }
        let folded = bounded.folded();
        assert_eq!((folded.mechanisms, bounded.parts().len()), (48, 16));
        let listed: u128 = bounded.parts().iter().map(|(_, count)| u128::from(*count)).sum();
        assert_eq!(folded.uses + listed, (0..64).map(|i| 1 + i % 3).sum());
        assert_eq!(bounded.mechanism(), None);
        for delta in [1e-3, 1e-6, 1e-12] {
            let answer = bounded.epsilon(delta).unwrap();
            assert_overlap(&answer, &full.epsilon(delta).unwrap(), 1e-6);
            assert!(
                answer.notes()[0].starts_with("48 distinct mechanisms of 96 uses were folded"),
                "{answer:?}"
            );
            assert!(answer.plans().iter().all(|plan| plan.reason.contains("folded")));
        }
        for epsilon in [0.0, 2.0, 5.0] {
            assert_overlap(&bounded.delta(epsilon).unwrap(), &full.delta(epsilon).unwrap(), 1e-6);
        }
        assert!(bounded.epsilon(1.0).is_err() && bounded.delta(-1.0).is_err());
    }

    /// Nothing but counts and moments on fixed lines, however many distinct mechanisms there are.
    #[test]
    fn memory_of_a_bounded_account_does_not_grow() {
        let (mut bounded, mut full) =
            (Accountant::bounded(Relation::AddRemove, 100), Accountant::new(Relation::AddRemove));
        let mechanism = |i: u32| match i % 250 {
            0 => parsed(&format!("laplace(scale={})", 50.0 + f64::from(i) / 100.0)),
            _ => parsed(&format!("gaussian(sigma={})", 100.0 + f64::from(i) / 100.0)),
        };
        let mut stored = Vec::new();
        for i in 0..20_000 {
            bounded.add(&mechanism(i)).unwrap();
            full.add(&mechanism(i)).unwrap();
            assert!(bounded.parts().len() <= 100 && bounded.places.len() <= 100);
            stored.extend(bounded.folded.as_ref().map(Folded::stored));
        }
        stored.dedup();
        assert!(stored.len() == 1 && stored[0] < 100_000, "{stored:?}");
        assert_eq!(bounded.folded().uses + bounded.parts().len() as u128, 20_000);
        assert_eq!(full.parts().len(), 20_000);
        for delta in [1e-4, 1e-9] {
            assert_overlap(&bounded.epsilon(delta).unwrap(), &full.epsilon(delta).unwrap(), 1e-6);
        }
    }

    #[test]
    fn a_bounded_account_that_is_not_full_is_like_any_other() {
        let (mut bounded, mut full) =
            (Accountant::bounded(Relation::AddRemove, 4), Accountant::new(Relation::AddRemove));
        for i in [0, 1, 2, 3, 3, 0] {
            bounded.add(&distinct(i)).unwrap();
            full.add(&distinct(i)).unwrap();
        }
        assert_eq!((bounded.parts(), bounded.mechanism()), (full.parts(), full.mechanism()));
        assert_eq!(bounded.folded(), FoldedParts::default());
        assert_eq!(bounded.epsilon(1e-6).unwrap(), full.epsilon(1e-6).unwrap());
    }

    #[test]
    fn what_cannot_be_folded_is_refused_before_anything_is_forgotten() {
        let mut accountant = Accountant::bounded(Relation::AddRemove, 2);
        let moments_only = parsed("zcdp(rho=0.1)");
        accountant.add(&moments_only).unwrap();
        accountant.add(&distinct(2)).unwrap();
        assert!(accountant.add(&distinct(6)).is_err());
        assert_eq!(accountant.parts().len(), 2);
        let mut accountant = Accountant::bounded(Relation::AddRemove, 2);
        (0..8).for_each(|i| accountant.add(&distinct(i)).unwrap());
        let before = accountant.folded();
        assert!(accountant.add(&moments_only).is_err());
        assert_eq!(accountant.folded(), before);
        // A sum of more parts than are listed is folded at once.
        accountant.add(&(distinct(9) + distinct(10) + distinct(11) + distinct(13))).unwrap();
        assert_eq!((accountant.folded().mechanisms, accountant.parts().len()), (12, 0));
        let whole = (0..8).chain([9, 10, 11, 13]).map(distinct);
        let whole = Compose::new(whole).unwrap();
        let answer = accountant.delta(1.0).unwrap();
        assert_overlap(&answer, &crate::delta(&whole, 1.0).unwrap(), 1e-3);
    }
}
