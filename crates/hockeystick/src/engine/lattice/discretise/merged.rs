//! Merged outcomes: an optimistic law whose error falls with the square of the spacing.

use super::{
    super::{
        law::{LatticeLaw, Optimistic},
        outcomes::{Mass, Outcomes, Stretch},
    },
    builder::Builder,
    grid::Grid,
};
use crate::pair::SharedPair;
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// All outcomes between two edges become one. That is post-processing, so δ can only fall; it is the tangent construction of
/// [Doroshenko22, Sec. 5] with a point of contact at each edge, and without what its convex hull costs. The edges are placed one
/// after the other so that the merged loss `log(P/Q)` is the point of the lattice between them: about half-way between points.
///
/// What is left of the difference is proven away: all points are moved down by an offset that leaves them below the merged
/// losses; where a merged loss is not that close its mass goes down by a whole point more.
///
/// # Guarantee
/// At most as much mass above every loss as a law whose δ is at most that of the pair, but for the relative error of the law.
pub(in super::super) fn merged(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Optimistic>> {
    let grid = aligned(outcomes, grid);
    let mut law = Builder::new(grid, &outcomes.atoms);
    for stretch in &outcomes.stretches {
        Sweep::along(stretch, grid).run(|place, mass| {
            law.note(mass.error, place.short);
            law.add(place.index, mass.p);
        });
    }
    for atom in law.atoms_within(&outcomes.atoms) {
        let loss = atom.loss.lower();
        let nearest = grid.below(loss + 0.5 * grid.spacing);
        let short = grid.near(nearest) - loss + 4.0 * UNIT_ROUNDOFF * (grid.spacing + loss.abs());
        // An atom that is meant to be on the lattice may be off by a rounding.
        let is_there = short > 0.0 && short <= ALLOWED * grid.spacing;
        if is_there {
            law.note(0.0, short);
        }
        law.add(if is_there { nearest } else { grid.below(loss) }, atom.p.lower());
    }
    law.optimistic(pair)
}

/// How far below its point a merged loss may be before it goes to the point below, in spacings.
const ALLOWED: f64 = 1e-6;
/// How close a merged loss is brought to its point, in spacings.
const CLOSE: f64 = 1e-8;
/// How far an edge must be from the next point, in spacings.
const NEAREST: f64 = 0.05;
/// How many offsets of the lattice are tried, twice.
const OFFSETS: u32 = 12;
/// Over how many cells.
const TRIED_CELLS: f64 = 48.0;

/// The grid with the offset for which the end of a pass costs the least: the outcomes that are left there go down to the next point.
fn aligned(outcomes: &Outcomes, grid: Grid) -> Grid {
    let largest =
        outcomes.stretches.iter().map(|stretch| (stretch, stretch.mass(stretch.bottom, stretch.top).p));
    let largest = largest.max_by(|a, b| a.1.total_cmp(&b.1));
    let stretch = match (largest, outcomes.likeliest_atom()) {
        // A whole atom between two points is worse than the end of a pass.
        (_, Some(atom)) if grid.is_coarse_for(atom) => return grid.through(atom.loss.lower()),
        (Some((stretch, _)), _) => stretch,
        (None, Some(atom)) => return grid.through(atom.loss.lower()),
        (None, None) => return grid,
    };
    let cost = |grid: &Grid| {
        let mut cost = 0.0;
        Sweep::along(stretch, *grid).last_cells(TRIED_CELLS).run(|place, mass| {
            cost += mass.p * (mass.loss - grid.near(place.index)).max(0.0);
        });
        cost
    };
    let moved = |part: f64| Grid { offset: grid.spacing * part.rem_euclid(1.0), ..grid };
    let step = 1.0 / f64::from(OFFSETS);
    let costs = |parts: &[f64]| parts.iter().map(|&part| cost(&moved(part))).collect::<Vec<f64>>();
    let around: Vec<f64> = (0..OFFSETS).map(|i| step * f64::from(i)).collect();
    let best =
        (around.iter().zip(costs(&around))).min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |best| *best.0);
    // In between: the cost jumps where an outcome falls to the next point, and this trial is only nearly what the pass will do.
    let between: Vec<f64> = (0..=OFFSETS).map(|i| best + step * (2.0 * step * f64::from(i) - 1.0)).collect();
    let worst_nearby: Vec<f64> =
        costs(&between).windows(3).map(|nearby| nearby[0].max(nearby[1]).max(nearby[2])).collect();
    let safest = (between[1..].iter().zip(worst_nearby)).min_by(|a, b| a.1.total_cmp(&b.1));
    moved(safest.map_or(best, |safest| *safest.0))
}

/// Where merged outcomes go.
struct Place {
    index: i64,
    /// How far the merged loss may be below that point.
    short: f64,
}

/// A pass along a stretch, from the end that has less mass within a spacing to the other. If edges are not half-way between points
/// they fall to and fro, by more the smaller the density is: on the way to large densities that fades.
#[derive(Clone, Copy)]
struct Sweep<'a> {
    stretch: &'a Stretch,
    grid: Grid,
    light: f64,
    heavy: f64,
    /// 1 if losses rise on the way, −1 if they fall.
    sign: f64,
}

impl<'a> Sweep<'a> {
    fn along(stretch: &'a Stretch, grid: Grid) -> Self {
        let rough = 1e-3 * grid.spacing;
        let within = |from: f64, loss: f64| stretch.mass(from, stretch.outcome(loss, from, rough).0).p;
        let cut = |end: f64| {
            let loss = stretch.loss(end).value;
            let inside = loss.clamp(grid.near(grid.first), grid.near(grid.last));
            if inside == loss { (end, loss) } else { (stretch.outcome(inside, end, rough).0, inside) }
        };
        let ((bottom, lowest), (top, highest)) = (cut(stretch.bottom), cut(stretch.top));
        if within(bottom, lowest + grid.spacing) >= within(top, highest - grid.spacing) {
            Self { stretch, grid, light: top, heavy: bottom, sign: -1.0 }
        } else {
            Self { stretch, grid, light: bottom, heavy: top, sign: 1.0 }
        }
    }

    /// The same pass, but for its last cells only.
    fn last_cells(self, cells: f64) -> Self {
        let loss = self.stretch.loss(self.heavy).value - self.sign * cells * self.grid.spacing;
        let is_inside = self.sign * (loss - self.stretch.loss(self.light).value) > 0.0;
        let rough = 1e-3 * self.grid.spacing;
        let start = if is_inside { self.stretch.outcome(loss, self.heavy, rough).0 } else { self.light };
        Self { light: start, ..self }
    }

    /// Calls `put` with all merged outcomes.
    fn run(self, mut put: impl FnMut(Place, Mass)) {
        let Self { stretch, grid, light, heavy, sign } = self;
        let (spacing, last_loss) = (grid.spacing, stretch.loss(heavy).value);
        // The edge beyond the point with an index, half-way to the next.
        let beyond = |index: i64| grid.near(index) + 0.5 * sign * spacing;
        let is_past_end = |loss: f64| sign * (loss - last_loss) >= 0.0;
        let start = stretch.loss(light);
        let mut index = if sign > 0.0 { grid.below(start.value) } else { grid.above(start.value) };
        if sign * (beyond(index) - start.value) <= 0.0 {
            index += sign as i64;
        }
        if is_past_end(beyond(index)) {
            let all = stretch.mass(light, heavy);
            return put(self.below(&all), all);
        }
        let (mut edge, first) = stretch.outcome(beyond(index), light, 1e-3 * spacing);
        let mass = stretch.mass(light, edge);
        put(self.below(&mass), mass);
        let (mut loss, mut slope, mut bend, mut drift) = (first.value, first.slope, 0.0, 0.0);
        loop {
            // The next point that is not too close to the last edge.
            index += sign as i64;
            while sign * (grid.near(index) - loss) < NEAREST * spacing {
                index += sign as i64;
            }
            let point = grid.near(index);
            if sign * (point - last_loss) >= 0.0 {
                break;
            }
            let step = (beyond(index) - loss) / slope;
            let guess = edge + step * (1.0 - 0.5 * bend * step);
            let (half_way, there) = stretch.outcome(beyond(index), guess, 1e-2 * spacing);
            // As far beyond its point as the last edge.
            let alike = half_way + (beyond(index) + drift - there.value) / there.slope;
            let Some((next, mass)) = self.balanced(point, edge, alike, 0.5 * there.slope) else { break };
            put(self.place(index, &mass), mass);
            bend = 2.0 * (there.slope - slope) / ((half_way - edge) * (there.slope + slope));
            bend = if bend.is_finite() { bend } else { 0.0 };
            loss = there.value + (next - half_way) * there.slope;
            slope = there.slope + bend * there.slope * (next - half_way);
            edge = next;
            if (loss - beyond(index)).abs() > 0.1 * spacing {
                // Too far from where the derivatives were taken.
                let exact = stretch.loss(edge);
                (loss, slope) = (exact.value, exact.slope);
            }
            drift = loss - beyond(index);
        }
        let mass = stretch.mass(edge, heavy);
        put(self.below(&mass), mass);
    }

    /// The edge for which the outcomes from `edge` to it have the merged loss `point`, by secant steps from a guess, and by halving where
    /// those fail. If the densities were even the merged loss would follow the edge's at half the speed. `None` if all that is
    /// left has not that loss.
    fn balanced(self, point: f64, edge: f64, guess: f64, speed: f64) -> Option<(f64, Mass)> {
        let (low, high) = (edge.min(self.heavy), edge.max(self.heavy));
        let is_close = |mass: &Mass| (mass.loss - point).abs() <= CLOSE * self.grid.spacing + mass.loss_error;
        let (mut now, mut speed) = (guess, speed);
        if now > low && now < high {
            let mut mass = self.stretch.mass(edge, now);
            for _ in 0..6 {
                if is_close(&mass) && mass.p > 0.0 {
                    return Some((now, mass));
                }
                let next = now - (mass.loss - point) / speed;
                if !(next > low && next < high) {
                    break;
                }
                let next_mass = self.stretch.mass(edge, next);
                let secant = (next_mass.loss - mass.loss) / (next - now);
                if secant * speed > 0.0 {
                    speed = secant;
                }
                (now, mass) = (next, next_mass);
            }
        }
        let (mut near, mut far) = (edge, self.heavy);
        if self.sign * (self.stretch.mass(edge, far).loss - point) < 0.0 {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            let mass = self.stretch.mass(edge, middle);
            if is_close(&mass) {
                far = middle;
                break;
            }
            if self.sign * (mass.loss - point) < 0.0 { near = middle } else { far = middle }
        }
        (far != edge).then(|| (far, self.stretch.mass(edge, far)))
    }

    /// The point that merged outcomes were meant for, if that is proven to be no higher than they are, else the next below.
    fn place(&self, index: i64, mass: &Mass) -> Place {
        let point = self.grid.near(index);
        let short = point - mass.loss + mass.loss_error + self.rounding(mass);
        if short <= ALLOWED * self.grid.spacing && mass.loss < point + self.grid.spacing {
            Place { index, short: short.max(0.0) }
        } else {
            self.below(mass)
        }
    }

    /// The next point below the loss of merged outcomes.
    fn below(&self, mass: &Mass) -> Place {
        let loss = mass.loss - mass.loss_error - self.rounding(mass);
        Place { index: if loss.is_finite() { self.grid.below(loss) } else { i64::MIN }, short: 0.0 }
    }

    fn rounding(&self, mass: &Mass) -> f64 {
        8.0 * UNIT_ROUNDOFF * (self.grid.spacing + mass.loss.abs())
    }
}
