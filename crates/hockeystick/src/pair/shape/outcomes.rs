//! Outcomes in the order of their losses, like ones together.

use crate::pair::Atom;
use hockeystick_numerics::{ball::Ball, double_double::DoubleDouble, rounding::sub_up};
use std::cmp::Ordering;

/// How far the ball of a group may grow beyond those of its members.
const GROWTH: f64 = 4.0;

/// Sorts by loss and merges outcomes whose losses are the same ball.
///
/// An atom stands for any set of outcomes with losses in its ball: every sum over outcomes is linear in the masses, so
/// what encloses it for each loss of the ball encloses the weighted mean of them.
pub(super) fn sorted(mut atoms: Vec<Atom>) -> Vec<Atom> {
    atoms.sort_by(by_loss);
    merged(atoms, |group, next| (group == next).then_some(group))
}

/// Sorts by loss and merges outcomes whose losses cannot be told apart, as long as their common ball stays small.
///
/// Sums of losses that are equal in exact arithmetic differ by round-off, depending on the order of the additions.
pub(super) fn grouped(mut atoms: Vec<Atom>) -> Vec<Atom> {
    atoms.sort_by(by_loss);
    let mut widest = atoms.first().map_or(0.0, |atom| atom.loss.radius());
    merged(atoms, move |group, next| {
        let apart = (next - group).enclosure();
        // |apart| ≤ distance + both radii, so that this is at least what the group's radius lacks to hold the next.
        let lacking = sub_up(apart.upper().max(-apart.lower()), 2.0 * group.radius()).max(0.0);
        let widest_member = widest.max(next.radius());
        if apart.contains(0.0) && group.radius() + lacking <= GROWTH * widest_member {
            widest = widest_member;
            return Some(group + Ball::new(DoubleDouble::ZERO, lacking));
        }
        widest = next.radius();
        None
    })
}

fn by_loss(a: &Atom, b: &Atom) -> Ordering {
    let leading = a.loss.approximate().total_cmp(&b.loss.approximate());
    leading.then_with(|| (a.loss - b.loss).approximate().total_cmp(&0.0))
}

/// Merges neighbours while `common` has a ball for both losses.
fn merged(atoms: Vec<Atom>, mut common: impl FnMut(Ball, Ball) -> Option<Ball>) -> Vec<Atom> {
    let mut groups: Vec<Atom> = Vec::with_capacity(atoms.len());
    for atom in atoms {
        let shared = groups.last().and_then(|group| common(group.loss, atom.loss));
        match (groups.last_mut(), shared) {
            (Some(group), Some(loss)) => *group = Atom { loss, p: group.p + atom.p, q: group.q + atom.q },
            _ => groups.push(atom),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::enclosure::Enclosure;

    fn atom(loss: Ball) -> Atom {
        Atom { loss, p: Enclosure::point(0.25), q: Enclosure::point(0.25) }
    }

    #[test]
    fn equal_balls_are_merged() {
        let losses = [1.0, -1.0, 1.0, 0.5].map(|loss| atom(Ball::from(loss)));
        let sorted = sorted(losses.to_vec());
        assert_eq!(sorted.iter().map(|a| a.loss.approximate()).collect::<Vec<_>>(), [-1.0, 0.5, 1.0]);
        assert_eq!(sorted[2].p, Enclosure::point(0.5));
    }

    #[test]
    fn sums_in_any_order_are_one_group() {
        let [a, b, c] = [3.0, 7.0, 11.0].map(|x| Ball::from(x).ln());
        let sums = [(a + b) + c, (a + c) + b, (b + c) + a, a + a + c].map(atom);
        let groups = grouped(sums.to_vec());
        assert_eq!(groups.len(), 2);
        assert!(groups[1].loss.radius() < 1e-28);
        for sum in sums.iter().take(3) {
            assert!((sum.loss - groups[1].loss).enclosure().contains(0.0));
        }
    }

    #[test]
    fn a_chain_of_overlapping_balls_does_not_become_one() {
        let chain: Vec<Atom> =
            (0..1000).map(|i| atom(Ball::new(DoubleDouble::from(f64::from(i)), 0.6))).collect();
        let groups = grouped(chain);
        assert!(groups.len() > 100, "{}", groups.len());
        assert!(groups.iter().all(|group| group.loss.radius() < 20.0));
    }
}
