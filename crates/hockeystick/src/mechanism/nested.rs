//! A mechanism inside another one: behind a pointer, and taken apart without recursion.

use super::{Compose, Mechanism};

/// Owns the inner mechanism of a sampler or repetition.
///
/// Trees built by a program can be nested without bound, so dropping one must not recurse.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Nested(Box<Mechanism>);

impl Nested {
    pub(super) fn new(mechanism: Mechanism) -> Self {
        Self(Box::new(mechanism))
    }

    pub(super) fn get(&self) -> &Mechanism {
        &self.0
    }

    /// Leaves a hollow composition behind: only for values about to be dropped or overwritten.
    pub(super) fn take(&mut self) -> Mechanism {
        std::mem::replace(&mut *self.0, Mechanism::Compose(Compose::hollow()))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        if self.0.parts().is_empty() {
            return;
        }
        let mut pending = vec![self.take()];
        while let Some(mut mechanism) = pending.pop() {
            mechanism.take_parts(&mut pending);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::mechanism::{Algebra, Gaussian, Mechanism};

    #[test]
    fn a_million_levels_are_dropped_without_recursion() {
        let leaf = Gaussian::new(1.0).unwrap();
        let mut deep = Mechanism::from(leaf);
        for level in 0..1_000_000 {
            deep = match level % 3 {
                0 => deep.repeat(2),
                1 => deep + leaf,
                _ => deep.poisson(0.5).unwrap(),
            };
        }
        drop(deep);
    }
}
