//! Merged outcomes: an optimistic law whose error falls with the square of the spacing.

use super::{
    super::{
        grid::Grid,
        law::{LatticeLaw, Optimistic},
        outcomes::{Mass, Outcomes},
        tuning::TUNING,
    },
    builder::Builder,
    sweep::{Place, Sweep},
};
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// All outcomes between two edges become one. That is post-processing, so δ can only fall; it is the tangent construction of
/// [Doroshenko22, Sec. 5] with a point of contact at each edge, without the cost of its convex hull. Along a density edges are placed so that each
/// merged loss `log(P/Q)` is a point. An atom is merged with a fraction of the next: post-processing may be random. A remainder goes to the next
/// point below, together with enough mass from further below to keep `Q`.
///
/// `infinite` is a lower bound on the mass at infinity. Round-off is covered by an offset that moves all points below the merged losses.
///
/// # Guarantee
/// At most as much mass above every loss as a law whose δ is at most that of the outcomes, but for the relative error of the law.
pub(crate) fn merged(infinite: f64, outcomes: &Outcomes, grid: Grid) -> Option<LatticeLaw<Optimistic>> {
    // An atom at a point is not split.
    let grid = match outcomes.likeliest_atom() {
        Some(atom) if outcomes.stretches.is_empty() || grid.is_coarse_for(atom.p.midpoint()) => {
            grid.through(atom.loss.lower())
        }
        Some(_) | None => grid,
    };
    let mut law = Builder::new(grid, &outcomes.atoms);
    let mut left: Vec<Left> = Vec::new();
    for stretch in &outcomes.stretches {
        Sweep::along(stretch, grid).run(|place, mass| {
            law.note(mass.error, 0.0);
            match place {
                Place::Point { index, short } => {
                    law.note(0.0, short);
                    law.add(index, mass.p);
                }
                Place::Between => left.push(Left::of(&mass, grid)),
            }
        });
    }
    let atoms: Vec<Left> = (law.atoms_within(&outcomes.atoms))
        .map(|atom| Left { loss: atom.loss.lower(), p: atom.p.lower() })
        .collect();
    merge_atoms(atoms, grid, &mut law, &mut left);
    left.sort_by(|a, b| a.loss.total_cmp(&b.loss));
    for one in left {
        settle(one, grid, &mut law);
    }
    law.optimistic(infinite)
}

/// Outcomes between points: their mass, and a lower bound on their merged loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) loss: f64,
    pub(crate) p: f64,
}

impl Left {
    pub(crate) fn of(mass: &Mass, grid: Grid) -> Self {
        let rounding = 8.0 * UNIT_ROUNDOFF * (grid.spacing + mass.loss.abs());
        Self { loss: mass.loss - mass.loss_error - rounding, p: mass.p }
    }
}

/// Merges atoms in increasing order of losses: the atoms between two points, or the rest of the last one, with the fraction of the next that
/// raises the merged loss to the upper point. The lost variance is the distance to that point times the distance to the next atom; if that costs
/// more than rounding down, they stay between points.
fn merge_atoms(atoms: Vec<Left>, grid: Grid, law: &mut Builder, left: &mut Vec<Left>) {
    let mut rest = atoms.into_iter();
    let mut next = rest.next();
    while let Some(first) = next {
        let nearest = grid.below(first.loss + 0.5 * grid.spacing);
        let short = grid.near(nearest) - first.loss + 4.0 * UNIT_ROUNDOFF * (grid.spacing + first.loss.abs());
        // An atom at a point, up to round-off.
        if short.abs() <= TUNING.on_point * grid.spacing {
            law.note(0.0, short);
            law.add(nearest, first.p);
            next = rest.next();
            continue;
        }
        let target = grid.below(first.loss) + 1;
        let point = grid.near(target);
        let mut group = Group::of(first, point);
        next = loop {
            let Some(other) = rest.next() else {
                left.push(group.merged());
                break None;
            };
            if other.loss <= point {
                group.add(other, point);
                continue;
            }
            let (up, down) = (group.missing(), group.missing_from(point - grid.near(target - 1)));
            if grid.lost_per_variance * up * (other.loss - point) > down {
                left.push(group.merged());
                break Some(other);
            }
            let supply = -(point - other.loss).exp_m1();
            let taken = group.deficit_above() / supply * (1.0 + 8.0 * UNIT_ROUNDOFF);
            if taken < other.p {
                law.note(group.error(), 0.0);
                law.add(target, group.p + taken);
                break Some(Left { p: (other.p - taken) * (1.0 - 2.0 * UNIT_ROUNDOFF), ..other });
            }
            group.add(other, point);
        };
    }
}

/// Atoms that are to be merged into one whose loss is a point `x`.
#[derive(Clone, Copy, Debug)]
struct Group {
    p: f64,
    /// `ΣP(e^{x−λ} − 1)`, which is to become 0, and the sum of its terms' sizes.
    deficit: f64,
    size: f64,
    count: f64,
    point: f64,
    smallest: f64,
}

impl Group {
    fn of(first: Left, point: f64) -> Self {
        let mut group = Self { p: 0.0, deficit: 0.0, size: 0.0, count: 0.0, point, smallest: first.loss };
        group.add(first, point);
        group
    }

    fn add(&mut self, one: Left, point: f64) {
        let term = one.p * (point - one.loss).exp_m1();
        self.p += one.p;
        self.deficit += term;
        self.size += term.abs();
        self.count += 1.0;
        // (Not always the first: atoms are in the order of the upper ends of their losses.)
        self.smallest = self.smallest.min(one.loss);
    }

    /// The relative error of its mass.
    fn error(&self) -> f64 {
        (self.count + 4.0) * UNIT_ROUNDOFF
    }

    /// An upper bound on the deficit.
    fn deficit_above(&self) -> f64 {
        self.deficit + (self.count + 8.0) * UNIT_ROUNDOFF * self.size
    }

    /// The distance of the merged loss below the point.
    fn missing(&self) -> f64 {
        (self.deficit / self.p).ln_1p()
    }

    /// Its distance above another point, `distance` below.
    fn missing_from(&self, distance: f64) -> f64 {
        (distance - self.missing()).max(0.0)
    }

    /// Merged without another atom: the smallest of their losses is a lower bound in any case.
    fn merged(&self) -> Left {
        let missing = (self.deficit_above() / self.p).ln_1p() * (1.0 + 4.0 * UNIT_ROUNDOFF);
        let loss = self.point - missing - 2.0 * UNIT_ROUNDOFF * (self.point.abs() + missing);
        Left { loss: loss.max(self.smallest), p: self.p * (1.0 - self.error()) }
    }
}

/// Puts outcomes at a neighbouring point, together with mass from further on that side, so that the merged loss is that point.
///
/// At the point below, mass `f` from `d` points further down contributes `f(e^{dΔ} − 1)` to `p(1 − e^{−gap})`; a deficit is a loss of width. At the
/// point above, mass `f` from `d` points further up contributes `f(1 − e^{−dΔ})` to `p(e^{gap} − 1)`, which must be reached. All masses have the
/// relative error of the law.
pub(crate) fn settle(one: Left, grid: Grid, law: &mut Builder) {
    if !one.loss.is_finite() {
        return;
    }
    let index = grid.below(one.loss);
    let margin = 1e-12 + 8.0 * law.error();
    let down = -one.p * (grid.near(index) - one.loss).exp_m1() * (1.0 - margin);
    let up = one.p * (grid.near(index + 1) - one.loss).exp_m1() * (1.0 + margin);
    let below = Partners { start: index, sign: -1, grid };
    let above = Partners { start: index + 1, sign: 1, grid };
    let (cost_below, _) = below.cost(down, law);
    match above.cost(up, law) {
        (cost_above, missing) if missing <= 0.0 && cost_above < cost_below => {
            law.add(index + 1, one.p);
            above.move_here(up, law);
        }
        (_, _) => {
            law.add(index, one.p);
            below.move_here(down, law);
        }
    }
}

/// The masses on one side of a point, nearest first.
#[derive(Clone, Copy)]
struct Partners {
    start: i64,
    sign: i64,
    grid: Grid,
}

impl Partners {
    /// Calls `each` with the points, the contribution of a unit mass there, and its distance, until it returns false.
    fn visit(&self, mut each: impl FnMut(i64, f64, f64) -> bool) {
        for steps in 1..=TUNING.reach {
            let distance = self.grid.spacing * steps as f64;
            let worth = if self.sign < 0 { distance.exp_m1() } else { -(-distance).exp_m1() };
            if self.grid.lost_per_variance * distance > 1.0
                || !each(self.start + self.sign * steps, worth, distance)
            {
                return;
            }
        }
    }

    /// The cost of reaching `wanted`, relative to losses rounded down, and the deficit.
    fn cost(&self, wanted: f64, law: &Builder) -> (f64, f64) {
        let (mut missing, mut cost) = (wanted, 0.0);
        self.visit(|index, worth, distance| {
            let made_up = (law.mass(index) * worth).min(missing);
            cost += made_up * self.grid.lost_per_variance * distance;
            missing -= made_up;
            missing > 0.0
        });
        (cost + missing.max(0.0), missing)
    }

    fn move_here(&self, wanted: f64, law: &mut Builder) {
        let mut missing = wanted;
        self.visit(|index, worth, _| {
            // Rounded up on the upper side, down on the lower side.
            let factor = 1.0 + 1e-12 * self.sign as f64;
            let moved = law.take(index, missing / worth * factor);
            law.add(self.start, moved);
            missing -= moved * worth * (2.0 - factor);
            missing > 0.0
        });
    }
}
