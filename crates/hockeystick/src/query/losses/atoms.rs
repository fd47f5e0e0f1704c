//! Losses that have a probability of their own: sums of atoms of every use.

use crate::pair::{Atom, Panel, RatioLaw, SharedPair};
use hockeystick_numerics::enclosure::Enclosure;

/// A loss with a probability of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossAtom {
    /// The loss, and all losses that are listed as one with it: they are nearer to each other than a millionth of the range.
    pub loss: Enclosure,
    /// `P(L = loss)`, with the record.
    pub with: Enclosure,
    /// `Q(L = loss)`, without it.
    pub without: Enclosure,
}

/// What is known of the finite losses of a composition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Parts {
    /// No loss has a probability of its own.
    Density,
    /// These have, by rising loss, and the others have a density if that is said. Left out are atoms rarer than `RARE`.
    Atoms { atoms: Vec<LossAtom>, has_density: bool },
    /// Nothing, or there are too many atoms to list them.
    Unknown,
}

/// Outcomes with less than about e to this of either law are not asked for.
const LEAST: f64 = -46.0;
/// Atoms with less than this under both laws are left out.
const RARE: f64 = 1e-15;
/// What all uses together may leave out.
const LEFT_OUT: f64 = 1e-9;
/// Products of two lists of atoms have at most so many.
const MOST_PRODUCTS: usize = 400_000;
/// Losses nearer than this part of the largest are one atom, and no atom is wider than so many times that.
const SAME: f64 = 1e-9;
const WIDEST: f64 = 1e3;

/// The atoms of a composition of pairs with their counts.
///
/// # Guarantee
/// The probabilities of an atom are enclosed, except that they lack up to `LEFT_OUT` from outcomes that are not asked for.
pub(super) fn of(pairs: &[(SharedPair, u64)]) -> Parts {
    let mut sum = vec![Point { loss: Enclosure::ZERO, p: Enclosure::ONE, q: Enclosure::ONE }];
    let mut has_density = false;
    for (pair, count) in pairs {
        let Some(Listed { atoms, has_panels }) = listed(pair, *count) else { return Parts::Unknown };
        if atoms.is_empty() && has_panels {
            // Whatever is added to a density has one.
            return Parts::Density;
        }
        has_density |= has_panels;
        let sums = power(atoms, *count).and_then(|power| convolved(&sum, &power));
        let Some(sums) = sums else { return Parts::Unknown };
        sum = sums;
    }
    let atom = |point: Point| LossAtom { loss: point.loss, with: point.p, without: point.q };
    Parts::Atoms { atoms: sum.into_iter().map(atom).collect(), has_density }
}

/// A loss with its probabilities under `P` and `Q`.
#[derive(Clone, Copy, Debug)]
struct Point {
    loss: Enclosure,
    p: Enclosure,
    q: Enclosure,
}

/// What one use can lose.
struct Listed {
    atoms: Vec<Point>,
    has_panels: bool,
}

/// The outcomes of one pair, unless too much of it is not listed.
fn listed(pair: &SharedPair, count: u64) -> Option<Listed> {
    let likely = pair.likely_outcomes(LEAST);
    let missing = likely.missing_p.max(likely.missing_q) * count as f64;
    // A ratio that is constant makes an atom of an interval.
    let is_atom =
        |panel: &Panel| panel.ratio.iter().all(|(_, term)| term.linear == 0.0 && term.square == 0.0);
    let panels = || likely.laws.iter().flat_map(|law| &law.panels).filter(|panel| !panel.ratio.is_empty());
    if missing.is_nan() || missing > LEFT_OUT || panels().any(is_atom) {
        return None;
    }
    let point = |law: &RatioLaw, &Atom { loss, p, q }: &Atom| {
        let loss = loss.enclosure();
        if law.swapped { Point { loss: -loss, p: q, q: p } } else { Point { loss, p, q } }
    };
    let atoms = likely.laws.iter().flat_map(|law| law.atoms.iter().map(move |atom| point(law, atom)));
    let has_panels = panels().next().is_some();
    Some(Listed { atoms: joined(atoms.collect())?, has_panels })
}

/// The sums of `count` independent losses, from the leading bit of the count on.
fn power(one: Vec<Point>, count: u64) -> Option<Vec<Point>> {
    let mut power = one.clone();
    for bit in (0..count.checked_ilog2()?).rev() {
        power = convolved(&power, &power)?;
        if count >> bit & 1 == 1 {
            power = convolved(&power, &one)?;
        }
    }
    Some(power)
}

fn convolved(a: &[Point], b: &[Point]) -> Option<Vec<Point>> {
    if a.len().checked_mul(b.len())? > MOST_PRODUCTS {
        return None;
    }
    let sum = |a: &Point, b: &Point| Point { loss: a.loss + b.loss, p: a.p * b.p, q: a.q * b.q };
    joined(a.iter().flat_map(|a| b.iter().map(move |b| sum(a, b))).collect())
}

/// By rising loss, equal losses as one, without what is too rare. `None` if a loss is not known well enough to be called one.
fn joined(mut points: Vec<Point>) -> Option<Vec<Point>> {
    points.retain(|point| point.p.upper() >= RARE || point.q.upper() >= RARE);
    points.sort_by(|a, b| a.loss.midpoint().total_cmp(&b.loss.midpoint()));
    let largest = points.iter().map(|point| point.loss.midpoint().abs()).fold(0.0, f64::max);
    let same = SAME * largest;
    let mut all: Vec<Point> = vec![];
    for point in points {
        let last = all.last_mut().filter(|last| point.loss.lower() - last.loss.upper() <= same);
        match last {
            Some(last) => {
                *last = Point { loss: last.loss.hull(point.loss), p: last.p + point.p, q: last.q + point.q };
            }
            None => all.push(point),
        }
    }
    let is_narrow = |point: &Point| point.loss.width() <= WIDEST * same;
    all.iter().all(is_narrow).then_some(all)
}
