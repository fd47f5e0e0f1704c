//! Several mechanisms, composed.

use std::ops::Deref;

use super::Mechanism;

/// The name of a composition in JSON, whose value is an array.
pub(super) const COMPOSE: &str = "compose";

/// Two or more mechanisms run on the same data, each allowed to see the answers of those before it.
///
/// Composition is associative, so a composition never directly contains another: it derefs to the flat list.
#[derive(Debug, Clone, PartialEq)]
pub struct Compose {
    pub(super) parts: Vec<Mechanism>,
}

impl Compose {
    /// Composes the mechanisms in order: `None` if there are none, the mechanism itself if there is one.
    #[expect(clippy::new_ret_no_self, reason = "a composition of one is that one")]
    pub fn new(mechanisms: impl IntoIterator<Item = Mechanism>) -> Option<Mechanism> {
        mechanisms.into_iter().reduce(|sum, mechanism| sum + mechanism)
    }

    /// A composition of nothing, which stands in for a mechanism that is being moved or dropped.
    pub(super) const fn hollow() -> Self {
        Self { parts: Vec::new() }
    }

    pub(super) fn join(left: Mechanism, right: Mechanism) -> Mechanism {
        let mut parts = Self::into_parts(left);
        // A composition brings its own list: appending it keeps repeated addition linear.
        if let Mechanism::Compose(mut right) = right {
            parts.append(&mut right.parts);
        } else {
            parts.push(right);
        }
        Mechanism::Compose(Self { parts })
    }

    fn into_parts(mechanism: Mechanism) -> Vec<Mechanism> {
        if let Mechanism::Compose(compose) = mechanism { compose.parts } else { vec![mechanism] }
    }
}

impl Deref for Compose {
    type Target = [Mechanism];

    fn deref(&self) -> &[Mechanism] {
        &self.parts
    }
}

impl<'a> IntoIterator for &'a Compose {
    type Item = &'a Mechanism;
    type IntoIter = std::slice::Iter<'a, Mechanism>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.iter()
    }
}
