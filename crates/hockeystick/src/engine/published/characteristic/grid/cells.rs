//! The grid approximation of a privacy loss: cells with a smallest and a largest loss, and their masses.

use super::edges::edges;
use crate::pair::DominatingPair;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, limits::check, rounding::UNIT_ROUNDOFF};

/// `L⁻` and `L⁺` of [Zhu22, Def. 39], with the masses of both laws.
///
/// The paper gives a cell the mass `p(oⱼ)Δ`, a Riemann sum, which may be too small or too large; then Lemma 40 does not follow. Here
/// cells have their true masses, from the tails of the pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) q: Vec<f64>,
    /// A bound on the distance of the tails of the masses from the tails of both laws, at any loss.
    pub(super) distance: [f64; 2],
    /// The truncated mass of both laws: `δ_tail` of [Zhu22, Thm 44].
    pub(super) left_out: [f64; 2],
}

/// An edge whose tails have wider enclosures is on an atom, and dropped.
const WIDE: f64 = 1e-12;

impl Cells {
    /// Approximately this many. Outcomes with a log density below `log_trim` are truncated.
    pub(super) fn of(pair: &dyn DominatingPair, cells: usize, log_trim: f64) -> Self {
        match pair.all_outcomes() {
            Some(outcomes) if outcomes.len() <= cells => {
                let mut exact = Self::default();
                for atom in outcomes {
                    let loss = atom.loss.enclosure();
                    exact.push(loss.lower(), loss.upper(), atom.p.midpoint(), atom.q.midpoint());
                    exact.distance[0] += atom.p.width();
                    exact.distance[1] += atom.q.width();
                }
                exact
            }
            Some(_) | None => Self::between(pair, &edges(pair, cells, log_trim)),
        }
    }

    /// Cells between neighbouring edges.
    ///
    /// # Guarantee
    /// A tail at an edge is known to within its width, and so are sums of masses: errors do not add up over cells.
    fn between(pair: &dyn DominatingPair, edges: &[f64]) -> Self {
        let mut cells = Self::default();
        let mut before: Option<(f64, [f64; 2])> = None;
        let mut last = [Enclosure::ZERO; 2];
        for &edge in edges {
            check();
            let tails = pair.tails(Ball::from(edge));
            let values = [tails.p.value(), tails.q.value()];
            if values.iter().any(|value| value.width() > WIDE) {
                continue;
            }
            for (distance, value) in cells.distance.iter_mut().zip(values) {
                *distance = distance.max(2.0 * value.width() + 8.0 * UNIT_ROUNDOFF);
            }
            let mut tail = values.map(Enclosure::midpoint);
            match before {
                None => cells.left_out = [tails.p.complement().upper(), tails.q.complement().upper()],
                Some((low, known)) => {
                    // Rounding must not make a tail rise.
                    tail = [tail[0].min(known[0]), tail[1].min(known[1])];
                    cells.push(low, edge, known[0] - tail[0], known[1] - tail[1]);
                }
            }
            before = Some((edge, tail));
            last = values;
        }
        if before.is_none() {
            cells.left_out = [1.0, 1.0];
        }
        let infinite = [pair.infinite_mass().value(), Enclosure::ZERO];
        let vanishing = [Enclosure::ZERO, pair.vanishing_mass().value()];
        for side in 0..2 {
            let above = (last[side] - infinite[side]).upper().max(0.0);
            let below = (Enclosure::point(cells.left_out[side]) - vanishing[side]).upper().max(0.0);
            cells.left_out[side] = (above + below) * (1.0 + 4.0 * UNIT_ROUNDOFF);
        }
        cells
    }

    fn push(&mut self, low: f64, high: f64, p: f64, q: f64) {
        if p > 0.0 || q > 0.0 {
            self.low.push(low);
            self.high.push(high);
            self.p.push(p);
            self.q.push(q);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.low.len()
    }

    /// The mean of `L⁺ − L⁻` under `P`.
    pub(super) fn spread(&self) -> f64 {
        self.low.iter().zip(&self.high).zip(&self.p).map(|((low, high), p)| p * (high - low)).sum()
    }
}

/// A mechanism that is used `count` times.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) cells: Cells,
    pub(super) count: f64,
}
