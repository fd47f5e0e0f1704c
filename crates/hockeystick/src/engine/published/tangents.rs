//! Tangents and their convex hull: the published optimistic law.

use super::buckets::down_by_tails;
use crate::{
    engine::lattice::{
        Discretisation, Discretise, Gap, Grid, LatticeLaw, LooseAtoms, Optimistic, Outcomes, Pessimistic,
        cells, connect_the_dots, connect_the_dots_by_tails,
    },
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, limits::check, rounding::UNIT_ROUNDOFF};
use std::marker::PhantomData;

/// Connect the dots above, tangents and their convex hull below ([Doroshenko22, Alg. 1 and 2]): errors of the order of the squared
/// spacing, with a larger constant than [`CONNECT_THE_DOTS`](crate::engine::lattice::CONNECT_THE_DOTS).
pub const TANGENTS: Discretisation = Discretisation::new(&Tangents);

/// Connect the dots above, tangents and their convex hull below ([Doroshenko22, Alg. 1 and 2]).
#[derive(Debug)]
struct Tangents;

impl Discretise for Tangents {
    fn name(&self) -> &'static str {
        "tangents"
    }

    /// Connect-the-dots adds `Δ²/6` to the variance of a loss, tangents at the points themselves take `5Δ²/6` away: `c(c+1)Δ²/2` per use. An
    /// atom that is no point of the grid is rounded down by `Δ/2`.
    fn gap(&self, uses: f64, atoms: LooseAtoms, c: f64) -> Gap {
        Gap { linear: 0.5 * c * atoms.rounded, square: uses * c * (c + 1.0) / 2.0 }
    }

    fn above(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Pessimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| connect_the_dots(pair, outcomes, grid));
        by_outcomes.unwrap_or_else(|| connect_the_dots_by_tails(pair, grid))
    }

    fn below(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Optimistic> {
        let by_outcomes = outcomes.and_then(|outcomes| tangents(pair, Some(outcomes), grid));
        by_outcomes.or_else(|| tangents(pair, None, grid)).unwrap_or_else(|| down_by_tails(pair, grid))
    }
}

/// The law of [Doroshenko22, Alg. 2]: tangents of the curve at the points of the lattice meet the neighbouring points, from the left up to a
/// pivot and from the right down to it, and the law is that of the lower convex hull of where they meet.
///
/// The tangent at `α = e^{iΔ}` is the line `P(S) − αQ(S)` of the test `S = {L > iΔ}`. *Every* test lies below the curve, so tests may omit the
/// truncated tail: that is the erratum for truncated grids. The mass at infinity is in every test, so it is kept, unlike with `f(+∞) = 0` in the
/// paper. The outcomes between two tests must have losses between their points, or the tangents would cross. Outcomes of a cell are merged, and
/// the merged loss is rounded down into the cell.
///
/// # Guarantee
/// At most as much mass above every loss as a law whose δ is at most that of the pair: Theorem 5.4 needs no more than that each vertex is
/// on or below its tangents. Slopes are never subtracted: what the hull changes there is a sum over the cells in between.
/// A bound on round-off is subtracted from masses further up.
fn tangents(pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> Option<LatticeLaw<Optimistic>> {
    let (slices, grid) = match outcomes {
        Some(outcomes) => {
            // Slightly lower, so that atoms at points are proven to be above them.
            let reach = grid.near(grid.first).abs().max(grid.near(grid.last).abs());
            let slip = 32.0 * UNIT_ROUNDOFF * (reach + grid.spacing);
            let grid = Grid { offset: grid.offset - slip, ..grid };
            (slices_of_outcomes(outcomes, grid), grid)
        }
        None => (slices_of_tails(pair, grid), grid),
    };
    let law = LatticeLaw {
        spacing: grid.spacing,
        first: grid.first,
        masses: Hull::of(&slices, grid.spacing)?.masses(grid.len())?,
        infinite: pair.infinite_mass().value().lower(),
        offset: grid.offset,
        error: 4.0 * UNIT_ROUNDOFF,
        side: PhantomData,
    };
    law.is_sound().then_some(law)
}

/// The difference of two tests, with `α` at the lower one.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    /// `αQ`.
    q: f64,
    /// `P − αQ`.
    excess: f64,
    /// Bounds on their errors.
    q_error: f64,
    excess_error: f64,
}

impl Slice {
    /// Outcomes of mass `p` whose merged loss is `gap` above the point, with an error of at most `slack`.
    fn of_mass(p: f64, error: f64, gap: f64, slack: f64) -> Self {
        let (q, excess) = (p * (-gap).exp(), -p * (-gap).exp_m1());
        let error = error + 4.0 * UNIT_ROUNDOFF;
        let moved = q * slack * (1.0 + slack);
        Self { q, excess, q_error: q * error + moved, excess_error: excess.abs() * error + moved }
    }

    fn and(self, other: Self) -> Self {
        Self {
            q: self.q + other.q,
            excess: self.excess + other.excess,
            q_error: self.q_error + other.q_error + UNIT_ROUNDOFF * (self.q + other.q),
            excess_error: self.excess_error
                + other.excess_error
                + UNIT_ROUNDOFF * (self.excess.abs() + other.excess.abs()),
        }
    }

    /// The same outcomes, seen from a point whose logarithm is `rise` higher.
    fn seen_from_above(self, rise: f64) -> Self {
        let (factor, less) = (rise.exp(), rise.exp_m1());
        let units = (4.0 + rise.abs()) * UNIT_ROUNDOFF;
        let (q, moved) = (self.q * factor, self.q * less);
        Self {
            q,
            excess: self.excess - moved,
            q_error: self.q_error * factor + q * units,
            excess_error: self.excess_error
                + self.q_error * less.abs()
                + moved.abs() * units
                + UNIT_ROUNDOFF * self.excess.abs(),
        }
    }
}

/// One slice for each cell, from closed forms of its masses.
fn slices_of_outcomes(outcomes: &Outcomes, grid: Grid) -> Vec<Slice> {
    check();
    let mut slices = vec![Slice::default(); grid.len() - 1];
    // The merged loss is at least this; it is rounded down to be between two points.
    let mut add = |p: f64, error: f64, loss: f64| {
        let (near, rounding) = (grid.below(loss), 8.0 * UNIT_ROUNDOFF * (grid.spacing + loss.abs()));
        let gap = loss - grid.near(near);
        let is_just_above = gap < rounding;
        let index = if is_just_above { near.saturating_sub(1) } else { near };
        let gap = if is_just_above { grid.spacing } else { gap }.min(grid.spacing - rounding);
        if loss.is_finite() && (grid.first..grid.last).contains(&index) {
            let slice = &mut slices[(index - grid.first) as usize];
            *slice = slice.and(Slice::of_mass(p, error, gap, rounding));
        }
    };
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| {
            add(cell.mass.p, cell.mass.error, cell.mass.loss - cell.mass.loss_error);
        });
    }
    for atom in &outcomes.atoms {
        let p = atom.p.midpoint();
        let error = if p > 0.0 { atom.p.width() / p } else { 0.0 };
        add(p, error, atom.loss.lower());
    }
    slices
}

/// The same from differences of tail probabilities.
fn slices_of_tails(pair: &SharedPair, grid: Grid) -> Vec<Slice> {
    let tail = |index| {
        check();
        pair.tails(grid.point(index))
    };
    let tails: Vec<_> = (grid.first..=grid.last).map(tail).collect();
    let slice = |index: usize| {
        let (above, beyond) = (&tails[index], &tails[index + 1]);
        let p = (above.p.value() - beyond.p.value()).clamp(0.0, 1.0);
        let q = (above.q.value() - beyond.q.value()).clamp(0.0, 1.0);
        let q = q * grid.point(grid.first + index as i64).exp_enclosure();
        let excess = p - q;
        let half = |bounds: Enclosure| 0.5 * bounds.width() * (1.0 + 1e-12) + UNIT_ROUNDOFF * bounds.upper();
        Slice {
            q: q.midpoint(),
            excess: excess.midpoint(),
            q_error: half(q),
            excess_error: half(excess) + UNIT_ROUNDOFF * p.upper(),
        }
    };
    (0..tails.len() - 1).map(slice).collect()
}

/// A vertex of the hull, and the difference of its test and that of the next vertex.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    place: usize,
    to_next: Slice,
}

struct Hull {
    vertices: Vec<Vertex>,
    spacing: f64,
    /// A place, and the mass to subtract above it, if round-off hides which of two tangents is lower there.
    tie: (usize, f64),
}

impl Hull {
    /// The lower convex hull of the candidates. `None` if there are too few.
    fn of(slices: &[Slice], spacing: f64) -> Option<Self> {
        check();
        let points = slices.len() + 1;
        if points < 8 {
            return None;
        }
        let [p, q] = slices.iter().enumerate().fold([0.0; 2], |[p, q], (i, slice)| {
            [p + slice.q + slice.excess, q + slice.q * (-spacing * i as f64).exp()]
        });
        // From the left, tangents are non-negative at the next point as long as P − αQ is.
        let pivot = ((p / q).ln() / spacing).floor();
        let pivot =
            if pivot.is_finite() { pivot.clamp(2.0, (points - 4) as f64) as usize } else { return None };
        let meeting = slices[pivot - 1].seen_from_above(spacing).and(slices[pivot]);
        let is_from_left = meeting.excess <= 0.0;
        let unsure = if meeting.excess.abs() <= meeting.excess_error {
            meeting.excess.abs() + meeting.excess_error
        } else {
            0.0
        };
        let tie = (pivot, unsure / -(-spacing).exp_m1() * (1.0 + 1e-9));
        // The point of contact of the tangent through the candidate at a place.
        let contact = |place: usize| match place {
            0 => 0,
            _ if place < pivot || (place == pivot && is_from_left) => place - 1,
            _ => (place + 1).min(points - 1),
        };
        let mut hull = Self { vertices: Vec::with_capacity(points), spacing, tie };
        for place in 0..points {
            if place > 0 {
                let between = (contact(place - 1)..contact(place))
                    .map(|cell| slices[cell].seen_from_above(spacing * ((place - 1) as f64 - cell as f64)));
                let slice = between.fold(Slice::default(), Slice::and);
                hull.connect(place, slice);
            }
            hull.vertices.push(Vertex { place, to_next: Slice::default() });
        }
        Some(hull)
    }

    /// Joins the last vertex to the next place, removing vertices that are proven to be above the line.
    fn connect(&mut self, place: usize, mut slice: Slice) {
        while let [.., before, last] = self.vertices.as_slice() {
            let (mass, error) = self.mass(Some(*before), *last, Some((place, slice)));
            if mass >= -error {
                break;
            }
            let rise = self.spacing * (last.place - before.place) as f64;
            slice = before.to_next.and(slice.seen_from_above(-rise));
            self.vertices.pop();
        }
        if let Some(last) = self.vertices.last_mut() {
            last.to_next = slice;
        }
    }

    /// `P`'s mass at a vertex, and its error: `α` times the difference of the slopes on its two sides. Before the first vertex the slope
    /// is that of its own tangent, after the last it is 0.
    fn mass(&self, before: Option<Vertex>, at: Vertex, next: Option<(usize, Slice)>) -> (f64, f64) {
        let (mut mass, mut error, mut size) = (0.0, 0.0, 0.0);
        if let Some(before) = before {
            let share = -(-self.spacing * (at.place - before.place) as f64).exp_m1();
            mass += before.to_next.excess / share;
            error += before.to_next.excess_error / share;
            size += before.to_next.excess.abs() / share;
        }
        if let Some((place, slice)) = next {
            let rise = (self.spacing * (place - at.place) as f64).exp_m1();
            mass += slice.q - slice.excess / rise;
            error += slice.q_error + slice.excess_error / rise;
            size += slice.q + slice.excess.abs() / rise;
        }
        (mass, (error + 8.0 * UNIT_ROUNDOFF * size) * (1.0 + 1e-9))
    }

    /// Masses at all points, each a lower bound on that of its vertex. A vertex with a negative mass within round-off gets none, and its deficit is
    /// subtracted from the vertices above it, which lowers the curve by more. `None` if their mass is too small.
    fn masses(&self, points: usize) -> Option<Vec<f64>> {
        let mut masses = vec![0.0; points];
        let mut debt = 0.0;
        for (i, &vertex) in self.vertices.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| self.vertices[i]);
            let next = self.vertices.get(i + 1).map(|next| (next.place, vertex.to_next));
            let (mass, error) = self.mass(before, vertex, next);
            let mass = mass - error;
            if mass > 0.0 {
                let paid = mass.min(debt);
                masses[vertex.place] = mass - paid;
                debt -= paid;
            } else {
                debt -= mass * (1.0 + 1e-9);
            }
            if vertex.place >= self.tie.0 && before.is_none_or(|before| before.place < self.tie.0) {
                debt += self.tie.1;
            }
        }
        (debt <= 0.0).then_some(masses)
    }
}
