//! Memory that is announced before it is asked for.

use super::{
    Stopped,
    scope::{Scope, current, leave},
};
use std::sync::{Arc, atomic::Ordering};

/// Memory that counts as held until this is dropped.
#[derive(Default)]
pub struct Claim {
    scope: Option<Arc<Scope>>,
    bytes: u64,
}

impl std::fmt::Debug for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claim").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Clone for Claim {
    /// What is copied is held twice, whatever the limits say: the next claim will notice.
    fn clone(&self) -> Self {
        for scope in self.scope.iter().flat_map(Scope::all) {
            scope.held.fetch_add(self.bytes, Ordering::Relaxed);
        }
        Self { scope: self.scope.clone(), bytes: self.bytes }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        for scope in self.scope.iter().flat_map(Scope::all) {
            scope.held.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

/// Announces an array of so many elements of a type, and leaves the current work if that is more than it may hold.
#[must_use = "what is dropped counts no more"]
pub fn claim<T>(elements: usize) -> Claim {
    let Some(current) = current() else { return Claim::default() };
    let bytes = (elements as u64).saturating_mul(size_of::<T>() as u64);
    // Given back when the work is left.
    let claim = Claim { scope: Some(current.clone()), bytes };
    let mut exceeded = None;
    for scope in current.all() {
        let wanted = scope.held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if let Some(allowed) = scope.memory.filter(|allowed| wanted > *allowed) {
            exceeded = Some((scope.clone(), Stopped::Memory { allowed, wanted }));
        }
    }
    match exceeded {
        Some((scope, why)) => {
            drop(claim);
            leave(scope, why)
        }
        None => claim,
    }
}
