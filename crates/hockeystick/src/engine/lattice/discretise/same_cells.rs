//! Both laws of a density from the same cells: connect the dots for the upper law, each cell merged to one outcome for the lower.

use super::{
    super::{
        grid::Grid,
        law::{LatticeLaw, Optimistic, Pessimistic},
        outcomes::Outcomes,
    },
    builder::Builder,
    cells::{Cell, cells},
    connect_the_dots::Dots,
    merged::{Left, settle},
};
use crate::pair::SharedPair;
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// Merging the outcomes of a cell is post-processing: δ can only fall. The merged loss is near the middle of the cell, so the optimistic law lies on
/// the midpoints. A cell whose merged loss is slightly too low is merged with a fraction of the next cell; one that is slightly too high is merged
/// with mass from the point before. That is post-processing, too, for it may be random.
///
/// The pessimistic law is that of [`connect_the_dots`](super::connect_the_dots).
///
/// # Guarantee
/// As for both laws alone. `None` if there are atoms, which should be points of the grid.
pub(crate) fn same_cells(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<(LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>)> {
    if !outcomes.atoms.is_empty() {
        return None;
    }
    let dots = Dots::new(grid);
    let (mut above, mut below) = (Builder::new(grid, &[]), Builder::new(grid.half_way(), &[]));
    let mut left: Vec<Left> = Vec::new();
    for stretch in &outcomes.stretches {
        let mut chain = Chain { grid: grid.half_way(), waiting: None, last: None };
        cells(stretch, grid, |cell| {
            dots.put(&cell, &mut above);
            chain.put(&cell, &mut below, &mut left);
        });
        chain.end(&mut below, &mut left);
    }
    left.sort_by(|a, b| a.loss.total_cmp(&b.loss));
    for one in left {
        settle(one, grid.half_way(), &mut below);
    }
    Some((above.pessimistic(pair, outcomes)?, below.optimistic(pair.infinite_mass().value().lower())?))
}

/// The largest distance for which the truncated series are used.
const SHORT: f64 = 0.5;

/// The cells of a stretch so far; the last one may still be merged with the next.
struct Chain {
    grid: Grid,
    waiting: Option<Waiting>,
    /// The last point that was used.
    last: Option<i64>,
}

/// A cell and its point.
#[derive(Clone, Copy)]
struct Waiting {
    index: i64,
    outcomes: Left,
}

impl Chain {
    fn put(&mut self, cell: &Cell, law: &mut Builder, left: &mut Vec<Left>) {
        if cell.mass.p <= 0.0 {
            return;
        }
        law.note(cell.mass.error, 0.0);
        let outcomes = Left::of(&cell.mass, self.grid);
        let index = self.grid.below(outcomes.loss + 0.5 * self.grid.spacing);
        let mut next = Waiting { index, outcomes };
        if let Some(one) = self.waiting.take() {
            self.place(one, Some(&mut next), law, left);
        }
        self.waiting = Some(next);
    }

    fn end(&mut self, law: &mut Builder, left: &mut Vec<Left>) {
        if let Some(one) = self.waiting.take() {
            self.place(one, None, law, left);
        }
    }

    /// For a cell of mass `p` whose merged loss is `η` above its point: mass `f` from a point `d` below may be added if `p(1 − e^{−η}) ≥ f(e^d − 1)`. If
    /// `η < 0`, mass `g` of the next cell, `y` above the point, must be added with `g(1 − e^{−y}) ≥ p(e^{−η} − 1)`. The series are truncated on the safe
    /// side; margins cover the relative errors of masses.
    fn place(&mut self, one: Waiting, next: Option<&mut Waiting>, law: &mut Builder, left: &mut Vec<Left>) {
        let Waiting { index, outcomes: Left { loss, p } } = one;
        let point = self.grid.near(index);
        let rounding = 8.0 * UNIT_ROUNDOFF * (self.grid.spacing + point.abs());
        let (high, margin) = (loss - point - rounding, 1e-12 + 8.0 * law.error());
        if high.is_nan() || high.abs() > SHORT {
            return left.push(one.outcomes);
        }
        if high >= 0.0 {
            let Some(before) = self.last.filter(|before| *before < index) else {
                return left.push(one.outcomes);
            };
            let bearable = p * high * (1.0 - 0.5 * high) / rise((index - before) as f64 * self.grid.spacing);
            if bearable > 0.5 * law.mass(before) {
                return left.push(one.outcomes);
            }
            let moved = law.take(before, bearable * (1.0 - margin));
            law.add(index, p + moved);
            self.last = Some(index);
            return;
        }
        let missing = -p * high * (1.0 - high);
        let taken = next.and_then(|next| {
            let up = next.outcomes.loss - point - rounding;
            let taken = missing / (up * (1.0 - 0.5 * up)) * (1.0 + margin);
            (up > 0.0 && up <= SHORT && taken <= 0.5 * next.outcomes.p).then(|| {
                next.outcomes.p = (next.outcomes.p - taken) * (1.0 - 2.0 * UNIT_ROUNDOFF);
                taken
            })
        });
        match taken {
            Some(taken) => {
                law.add(index, p + taken);
                self.last = Some(index);
            }
            None => left.push(one.outcomes),
        }
    }
}

/// At least `e^d − 1`, for positive d: the series from the third power on adds up to at most `d³/6·(1 + d/4 + …) < d³/5`.
fn rise(d: f64) -> f64 {
    if d <= SHORT { d * (1.0 + d * (0.5 + 0.2 * d)) } else { d.exp_m1() * (1.0 + 1e-12) }
}
