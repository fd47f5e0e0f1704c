//! Which tilt, which spacing, which window: from what is asked, not from the user.

use super::{
    discretise::{CONNECT_THE_DOTS, Discretisation, Gap, STRIDES, WIDTHS},
    loose_atoms::LooseAtoms,
    moments::{Interpolated, Moments},
    sketch::Sketch,
};
use crate::engine::Goal;
use hockeystick_numerics::{
    minimize::minimize,
    roots::{Tolerance, bracketed_root},
};
use std::{f64::consts::TAU, fmt};

/// How finely, and with how much memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The relative width wanted, of what the goal asks for.
    pub tolerance: f64,
    /// How losses are put on the lattice.
    pub discretisation: Discretisation,
    /// The spacing of the lattice, for experts; from the tolerance if `None`.
    pub spacing: Option<f64>,
    /// The most points of a window, and of a law: each takes about 40 bytes.
    pub most_points: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-4, discretisation: CONNECT_THE_DOTS, spacing: None, most_points: 1 << 22 }
    }
}

/// How laws are composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convolution {
    /// On a lattice, by a tilted FFT.
    Tilted,
    /// Outcome by outcome, without a lattice: there are few.
    Sparse {
        /// How many.
        outcomes: usize,
    },
}

/// What was chosen. Without a lattice its spacing, points and cells are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatticePlan {
    /// How losses are put on the lattice.
    pub discretisation: Discretisation,
    /// How they are composed.
    pub convolution: Convolution,
    /// The spacing `Δ`.
    pub spacing: f64,
    /// How far the points of the laws above are moved up from multiples of `Δ`, in spacings; atoms may move them further.
    pub moved: f64,
    /// The number of points of the window.
    pub length: usize,
    /// The number of points of all laws together.
    pub cells: usize,
    /// How many groups of parts are composed outcome by outcome before they are put on the lattice, for the law below.
    pub groups: usize,
    /// The tilt `c`.
    pub tilt: f64,
    /// The orders below and above the tilt at which wrap-around is bounded.
    pub orders: [f64; 2],
    /// About where the question is.
    pub epsilon: f64,
    /// About what δ is there.
    pub delta: f64,
}

impl fmt::Display for LatticePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { discretisation, spacing, length, cells, groups, tilt, epsilon, delta, .. } = self;
        match self.convolution {
            Convolution::Tilted => {
                write!(f, "{discretisation} on a lattice of spacing {spacing:.3e}, {cells} cells ")?;
                if *groups > 0 {
                    write!(f, "(below, {groups} groups of parts with atoms) ")?;
                }
                write!(
                    f,
                    "composed in a window of {length} points, tilted by {tilt:.3} for δ ≈ {delta:.1e} at ε ≈ {epsilon:.4}"
                )
            }
            Convolution::Sparse { outcomes } => {
                write!(f, "{outcomes} outcomes composed one by one, δ ≈ {delta:.1e} at ε ≈ {epsilon:.4}")
            }
        }
    }
}

/// The part of the tolerance that truncation and wrap-around may take each.
const SMALL_PART: f64 = 0.01;
/// The part of the tolerance that the spacing is chosen for.
const LARGE_PART: f64 = 0.58;
/// The same where a second try takes long: for so many parts.
const SAFE_PART: f64 = 0.49;
const MANY_PARTS: usize = 256;
/// The part of what the spacing costs that each wider width of cells may add.
const FAINT_PART: f64 = 0.03;
/// What wider cells add at most: each width on either side.
const WIDER: f64 = 1.0 + 1.5 * FAINT_PART * STRIDES as f64;
/// Tilts that are tried, in saddle points.
const SMALLER_TILTS: [f64; 5] = [0.88, 0.77, 0.68, 0.6, 0.52];
/// By how much a tilt may raise round-off.
const MOST_ROUND_OFF: f64 = 100.0;
/// The shortest window.
const SHORTEST: usize = 64;

/// The laws of the parts, roughly, and what is asked of their composition.
pub(crate) struct Planner {
    moments: Moments,
    goal: Goal,
    uses: f64,
    infinite: f64,
}

/// What a spacing costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// Uses of parts that are put on the lattice one by one.
    pub(crate) uses: f64,
    /// What its square costs the others, in `c(c+1)`.
    pub(crate) grouped: f64,
    pub(crate) atoms: LooseAtoms,
}

/// A window, and the orders with which its wrap-around is bounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) tilt: f64,
    pub(crate) period: f64,
    pub(crate) order_above: f64,
    pub(crate) order_below: f64,
    /// Is it what wraps around from above that makes it long?
    is_long_above: bool,
}

/// The losses of one use that matter, and how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) bottom: f64,
    pub(crate) top: f64,
    /// Below and above these losses cells may be as wide as each of the widths.
    pub(crate) faint_below: [f64; STRIDES],
    pub(crate) faint_above: [f64; STRIDES],
}

impl Range {
    /// All losses matter alike.
    pub(crate) fn plain(bottom: f64, top: f64) -> Self {
        let (faint_below, faint_above) = ([f64::NEG_INFINITY; STRIDES], [f64::INFINITY; STRIDES]);
        Self { bottom, top, faint_below, faint_above }
    }
}

/// The saddle point, and what follows from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saddle {
    pub(crate) tilt: f64,
    pub(crate) epsilon: f64,
    /// The finite part of δ there.
    pub(crate) delta: f64,
    pub(crate) deviation: f64,
    /// That δ over `M(c)e^{−cε}`.
    pub(crate) delta_per_scale: f64,
}

impl Planner {
    /// `infinite` is the mass at infinity of the composition.
    pub(crate) fn new(sketches: Vec<(Sketch, f64)>, goal: Goal, infinite: f64) -> Self {
        let uses = sketches.iter().map(|(_, count)| count).sum();
        Self { moments: Moments::new(sketches), goal, uses, infinite }
    }

    /// The saddle point of `K(c) − cε − log c(c+1)`, and the estimate of δ from it.
    fn at(&self, tilt: f64) -> Saddle {
        let [value, mean, variance] = self.moments.at(tilt);
        let (near, far) = (1.0 / tilt, 1.0 / (tilt + 1.0));
        let epsilon = match self.goal {
            Goal::Delta { epsilon } => epsilon,
            Goal::Epsilon { .. } => mean - near - far,
        };
        let total = variance + near * near + far * far;
        let log_delta = value - tilt * epsilon - (tilt * (tilt + 1.0)).ln() - 0.5 * (TAU * total).ln();
        let delta_per_scale = 1.0 / (tilt * (tilt + 1.0) * (TAU * total).sqrt());
        let delta = log_delta.min(0.0).exp().max(1e-305);
        Saddle { tilt, epsilon, delta, deviation: variance.sqrt(), delta_per_scale }
    }

    /// The tilt at which the saddle point is that of the goal.
    pub(crate) fn saddle(&self) -> Saddle {
        let residual = |log_tilt: f64| {
            let tilt = log_tilt.exp();
            match self.goal {
                Goal::Delta { epsilon } => {
                    self.moments.at(tilt)[1] - epsilon - 1.0 / tilt - 1.0 / (tilt + 1.0)
                }
                Goal::Epsilon { delta } => {
                    (delta - self.infinite).max(1e-3 * delta).ln() - self.at(tilt).delta.ln()
                }
            }
        };
        let (low, high) = (1e-3f64.ln(), 1e5f64.ln());
        let tilt = match bracketed_root(residual, low, high, Tolerance::absolute(0.005)) {
            Ok(bracket) => bracket.lower.exp(),
            Err(_) if residual(low) > 0.0 => low.exp(),
            Err(_) => high.exp(),
        };
        self.at(tilt)
    }

    /// The relative width of the finite part of δ that the tolerance allows.
    pub(crate) fn allowed(&self, saddle: Saddle, tolerance: f64) -> f64 {
        match self.goal {
            Goal::Delta { .. } => tolerance * (1.0 + self.infinite / saddle.delta),
            // d log δ/dε is about −c.
            Goal::Epsilon { .. } => tolerance * saddle.tilt * saddle.epsilon.max(1e-9),
        }
        .clamp(1e-15, 0.5)
    }

    /// The spacing for which the upper and the lower δ should differ by the allowed width. Parts in groups have costs of their own.
    pub(crate) fn spacing(
        &self,
        saddle: Saddle,
        allowed: f64,
        discretisation: Discretisation,
        costs: &Costs,
    ) -> f64 {
        let c = saddle.tilt;
        let Gap { linear, square } = discretisation.gap(costs.uses, costs.atoms, c);
        let wider = if discretisation.is_adaptive() { WIDER } else { 1.0 };
        let square = square * wider + c * (c + 1.0) * costs.grouped;
        let wanted = if self.moments.len() < MANY_PARTS { LARGE_PART } else { SAFE_PART } * allowed;
        let spacing = 2.0 * wanted / (linear + (linear * linear + 4.0 * square * wanted).sqrt());
        // Never so coarse that the composed law has no shape.
        let coarsest = (0.25 * saddle.deviation).max(1e-12).min(0.25 / (c + 1.0));
        spacing.min(coarsest).max(1e-12)
    }

    /// How much of one use may be left out.
    pub(crate) fn share(&self, allowed: f64) -> f64 {
        SMALL_PART * allowed / self.uses
    }

    /// The losses that matter of one use of each part: what is above and below adds up to a small part of the allowed width. Cells of
    /// w spacings cost w² times as much, so they are for a share of w⁻² at most.
    pub(crate) fn ranges(&self, saddle: Saddle, allowed: f64) -> Vec<Range> {
        let share = self.share(allowed);
        let faint: [f64; STRIDES] = WIDTHS.map(|width| FAINT_PART / (width * width) as f64);
        let range = |sketch: &Sketch| {
            let (faint_below, faint_above) = sketch.faint(saddle.tilt, faint);
            let (bottom, top) = (sketch.bottom(share), sketch.top(share * saddle.delta));
            Range { bottom, top, faint_below, faint_above }
        };
        self.moments.sketches().map(range).collect()
    }

    /// The shortest window: a tilt next to the saddle point for which wrap-around is small on either side of a short period. Round-off is
    /// relative to `M(c)e^{−cε}`, which is the smallest at the saddle point.
    pub(crate) fn window(&self, saddle: Saddle, allowed: f64) -> Window {
        let moments = Interpolated::new(&self.moments);
        let at_saddle = moments.at(saddle.tilt) - saddle.tilt * saddle.epsilon;
        let mut best = window_at(&moments, saddle.tilt, saddle, allowed);
        // A smaller tilt lets less wrap around from above. (A larger one would let less wrap around from below, but gains little and
        // leaves small losses out of the window.)
        let factors: &[f64] = if best.is_long_above { &SMALLER_TILTS } else { &[] };
        for tilt in factors.iter().map(|factor| factor * saddle.tilt) {
            let more = moments.at(tilt) - tilt * saddle.epsilon - at_saddle;
            let other = window_at(&moments, tilt, saddle, allowed);
            if other.period >= best.period || more > MOST_ROUND_OFF.ln() {
                break;
            }
            best = other;
        }
        best
    }

    /// The points of a window of this length.
    pub(crate) fn points(period: f64, spacing: f64) -> Option<usize> {
        let points = (period / spacing).ceil() + 1.0;
        (points < 1e15).then(|| (points as usize).max(SHORTEST).next_power_of_two())
    }
}

/// The length T of the window and the orders for which wrap-around is small: `κ(λ)M(λ)e^{−λε−|λ−c|T}` for the best λ above the tilt
/// and the best below.
fn window_at(moments: &Interpolated<'_>, c: f64, saddle: Saddle, allowed: f64) -> Window {
    let wanted = (SMALL_PART * allowed * saddle.delta).ln();
    let period = |order: f64| {
        let log_kappa = order * order.ln() - (1.0 + order) * (1.0 + order).ln();
        (moments.at(order) - order * saddle.epsilon + log_kappa - wanted) / (order - c).abs()
    };
    let natural = (-2.0 * (SMALL_PART * allowed).ln()).sqrt() / saddle.deviation.max(1e-9);
    let best = |order: &dyn Fn(f64) -> f64, low: f64, high: f64| {
        let found = minimize(|x| period(order(x)), low, high, Tolerance::absolute(0.2));
        found.map_or((f64::INFINITY, order(0.5 * (low + high))), |best| (best.value, order(best.at)))
    };
    let (above, order_above) = best(&|x| c + x.exp(), (0.1 * natural).ln(), (10.0 * natural).ln());
    // Below, the order is a part of the tilt; 0 stands for the trivial bound δ ≤ 1.
    let (below, order_below) = best(&|x| c / (1.0 + x.exp()), -5.0, 5.0);
    let trivial = -wanted / c;
    let (below, order_below) = if below < trivial { (below, order_below) } else { (trivial, 0.0) };
    let is_long_above = above > below;
    Window { tilt: c, period: above.max(below).max(0.0), order_above, order_below, is_long_above }
}
