//! Tree aggregation: a Gaussian mechanism on the sums of all complete dyadic blocks.

use super::{SharedPair, gaussian::NormalPair};
use crate::mechanism::Tree;
use hockeystick_numerics::ball::Ball;
use std::sync::Arc;

/// `N(s√h, σ²)` against `N(0, σ²)` with `h = ⌊log₂ n⌋ + 1`.
///
/// *Proof.* A step is in one block of each size 1, 2, 4, … up to the largest that is complete, at most `2^⌊log₂ n⌋`: in h blocks or fewer, and step 1 is in h of them. A record that
/// changes one step by a vector of length at most s moves the sums of at most h blocks, by that vector. A block is published when it is complete, with noise of its own, so that given
/// what was published before it is normal and moved by at most s, whatever the steps depend on; the squares of what blocks move by add up to at most h s². Hence the loss is normal with
/// `μ² = h s²/σ²`, or dominated by that. ∎
pub(super) fn pair(tree: &Tree) -> SharedPair {
    let mu = Ball::from(tree.sensitivity()) / Ball::from(tree.sigma());
    Arc::new(NormalPair::new(mu * mu * Ball::from(height(tree.steps()))))
}

/// How many complete blocks step 1 is in.
fn height(steps: u64) -> u64 {
    u64::from(steps.ilog2()) + 1
}

#[cfg(test)]
mod tests {
    use super::height;
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };
    use hockeystick_numerics::ball::Ball;

    /// By listing all blocks.
    #[test]
    fn the_first_step_is_in_as_many_blocks_as_any() {
        for steps in 1..=70u64 {
            let sizes = || (0..64).map(|level| 1u64 << level).take_while(|&size| size <= steps);
            // The block of each size around a step ends at the next multiple of its size.
            let around =
                |step: u64| sizes().filter(|&size| step.div_ceil(size) * size <= steps).count() as u64;
            assert_eq!((1..=steps).map(around).max(), Some(height(steps)), "{steps}");
        }
    }

    #[test]
    fn a_tree_is_a_gaussian() {
        for (tree, gaussian) in [
            ("tree(sigma=3, steps=1)", "gaussian(sigma=3)"),
            ("tree(sigma=3, steps=1000, sensitivity=2)", "gaussian(sigma=1.5) * 10"),
            ("tree(sigma=3, steps=1024) * 5", "gaussian(sigma=3) * 55"),
        ] {
            for direction in [Direction::Remove, Direction::Add, Direction::Replace] {
                let delta = |text: &str| {
                    let mechanism: Mechanism = text.parse().unwrap();
                    dominating_pair(&mechanism, direction).unwrap().delta(Ball::from(0.7)).value()
                };
                assert!(delta(tree).overlaps(delta(gaussian)), "{tree}");
            }
        }
    }
}
