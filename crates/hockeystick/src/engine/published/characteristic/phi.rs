//! `log φ(t)` of one mechanism, in symbols.

use super::{
    nodes::{Node, Outcomes},
    outcomes,
    source::Source,
};
use crate::{
    engine::contour::law::{LossRule, RuleSpec},
    pair::{DominatingPair, LossLaw, Portion},
};
use hockeystick_numerics::{
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{complex_log1p, exp, ln},
};
use num_complex::Complex;

/// `φ(t) = E[e^{itL}; L < ∞]` of one mechanism under `P`. Under `Q` and for `−L` it is that of the dual pair.
#[derive(Clone, Debug)]
pub(super) enum Phi {
    /// `e^{−μ²(t² − it)/2}` ([Zhu22, Table 2], Gaussian).
    Normal { mu_squared: f64 },
    /// `f·(p e^{iξt} + (1−p) e^{−iξt})` with `p = e^ξ/(1 + e^ξ)` ([Zhu22, Table 2], randomised response), f being finite losses.
    TwoPoint { xi: f64, finite: f64 },
    /// Atoms ½ at d and ½e^{−d} at −d, a density in between ([Zhu22, Table 2], Laplace).
    Laplace { distance: f64 },
    /// `Σ pⱼ e^{itLⱼ}`: discrete mechanisms, and rules of quadrature.
    Outcomes(Outcomes),
}

/// `log φ(t)`, and an estimate of its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogPhi {
    pub(super) value: Complex<f64>,
    pub(super) error: f64,
}

/// The logarithm of the error that a certified rule may have.
const LOG_TOLERANCE: f64 = -40.0;

impl Phi {
    /// `φ` of a pair for `|t| ≤ height`. `None` if the law of its loss is not listed, or oscillates too fast.
    pub(super) fn of(pair: &dyn DominatingPair, source: Source, height: f64) -> Option<Self> {
        match (source, pair.loss_law()) {
            (Source::Symbols | Source::Quadrature { .. }, Some(LossLaw::TwoPoint { xi, at_infinity })) => {
                Some(Self::TwoPoint { xi: xi.approximate(), finite: 1.0 - at_infinity })
            }
            (Source::Symbols, Some(LossLaw::Normal { mu_squared })) => {
                Some(Self::Normal { mu_squared: mu_squared.approximate() })
            }
            (Source::Symbols, Some(LossLaw::Laplace { distance })) => {
                Some(Self::Laplace { distance: distance.approximate() })
            }
            (Source::Symbols, None) => Some(Self::Outcomes(by_rule(pair, height)?)),
            (
                Source::Quadrature { points },
                Some(LossLaw::Normal { .. } | LossLaw::Laplace { .. }) | None,
            ) => Some(Self::Outcomes(outcomes::by_quadrature(pair, points)?)),
        }
    }

    /// The number of terms of a value.
    pub(super) fn terms(&self) -> usize {
        match self {
            Self::Normal { .. } | Self::TwoPoint { .. } | Self::Laplace { .. } => 1,
            Self::Outcomes(outcomes) => outcomes.atoms.len() + outcomes.nodes.len(),
        }
    }

    pub(super) fn log(&self, t: f64) -> LogPhi {
        match self {
            Self::Normal { mu_squared } => {
                let value = Complex::new(-0.5 * mu_squared * t * t, 0.5 * mu_squared * t);
                LogPhi { value, error: 4.0 * UNIT_ROUNDOFF * value.norm() }
            }
            // Less 1 it is −2 sin²(ξt/2) + i tanh(ξ/2) sin ξt, without cancellation.
            Self::TwoPoint { xi, finite } => {
                let (half, whole) = ((0.5 * xi * t).sin(), (xi * t).sin());
                let less_one = Complex::new(-2.0 * half * half, (0.5 * xi).tanh() * whole);
                logarithm(*finite, less_one, UNIT_ROUNDOFF * (4.0 * less_one.norm() + 2.0 * xi * t.abs()))
            }
            Self::Laplace { distance: d } => {
                let value = laplace_atoms(*d, t) + laplace_density(*d, t);
                logarithm(1.0, value - 1.0, UNIT_ROUNDOFF * (8.0 + 2.0 * d * t.abs()))
            }
            Self::Outcomes(outcomes) => outcomes.log(t),
        }
    }

    /// The logarithm of an envelope of `|φ|` from `t` upwards: atoms count in full.
    pub(super) fn log_envelope(&self, t: f64) -> f64 {
        match self {
            Self::Normal { mu_squared } => -0.5 * mu_squared * t * t,
            Self::TwoPoint { finite, .. } => ln(*finite),
            Self::Laplace { distance: d } => {
                ln((laplace_density(*d, t).norm() + 0.5 * (1.0 + exp(-d))).min(1.0))
            }
            Self::Outcomes(outcomes) => {
                let atoms: f64 = outcomes.atoms.iter().map(|atom| atom.mass).sum();
                let smooth = outcomes.nodes.iter().map(|node| Complex::from_polar(node.mass, t * node.loss));
                ln((smooth.sum::<Complex<f64>>().norm() + atoms).min(1.0))
            }
        }
    }
}

impl Outcomes {
    /// Masses add up to `φ(0)`, which is known better: only `e^{itL} − 1` is summed.
    fn log(&self, t: f64) -> LogPhi {
        check();
        let mut less_finite = Complex::ZERO;
        for node in self.atoms.iter().chain(&self.nodes) {
            // e^{ix} − 1 = 2 sin(x/2)·(−sin(x/2) + i cos(x/2)).
            let (sine, cosine) = (0.5 * t * node.loss).sin_cos();
            less_finite += Complex::new(-sine, cosine) * (2.0 * sine * node.mass);
        }
        let turned = t.abs() * self.size;
        // Errors of some tens of units for masses, of a few for losses.
        let error = UNIT_ROUNDOFF * (32.0 * turned.min(2.0) + 16.0 * turned) + self.error;
        logarithm(self.finite, less_finite / self.finite, error / self.finite)
    }
}

/// `log f + log(1 + w)`, for a `w` with an error of `error`.
fn logarithm(finite: f64, less_one: Complex<f64>, error: f64) -> LogPhi {
    let size = (1.0 + less_one).norm();
    let error = error + if finite < 1.0 { 2.0 * UNIT_ROUNDOFF } else { 0.0 };
    LogPhi { value: ln(finite) + complex_log1p(less_one), error: error / size.max(f64::MIN_POSITIVE) }
}

fn laplace_atoms(d: f64, t: f64) -> Complex<f64> {
    Complex::from_polar(0.5, t * d) + Complex::from_polar(0.5 * exp(-d), -t * d)
}

/// `∫_{−d}^{d} ¼ e^{(x−d)/2} e^{itx} dx = e^{−d/2} sinh(wd)/(2w)`, `w = ½ + it`.
fn laplace_density(d: f64, t: f64) -> Complex<f64> {
    let w = Complex::new(0.5, t);
    // In two exponentials, so that nothing overflows.
    let (up, down) = ((w * d - 0.5 * d).exp(), (-w * d - 0.5 * d).exp());
    (up - down) / (w * 4.0)
}

/// From the certified rule for the moment generating function on the imaginary axis.
fn by_rule(pair: &dyn DominatingPair, height: f64) -> Option<Outcomes> {
    let finite = pair.infinite_mass().complement().midpoint();
    let line = RuleSpec {
        tilt: 0.0,
        height,
        beyond: 0.0,
        log_tolerance: LOG_TOLERANCE,
        log_tolerance_beyond: LOG_TOLERANCE,
        direct: false,
    };
    let mut outcomes = Outcomes { finite, ..Outcomes::default() };
    for mut law in pair.ratio_laws() {
        let (atoms, sign) = (std::mem::take(&mut law.atoms), if law.swapped { -1.0 } else { 1.0 });
        outcomes.atoms.extend(atoms.iter().map(|atom| {
            let mass = if law.swapped { atom.q } else { atom.p };
            outcomes.error += 0.5 * mass.width();
            Node { loss: sign * atom.loss.approximate(), mass: mass.midpoint() }
        }));
        let LossRule { nodes, log_error, .. } = law.rule(line, Portion::Whole)?;
        outcomes.error += exp(log_error);
        for node in nodes {
            let mass = exp(node.log_p);
            // The mass of a node with a relative error of 1 counts as error.
            if node.relative_error >= 1.0 {
                outcomes.error += mass * node.relative_error;
                continue;
            }
            outcomes.error += mass * (node.relative_error * (height * node.loss.abs()).min(2.0));
            outcomes.error += mass * height * node.loss_error;
            outcomes.nodes.push(Node { loss: node.loss, mass });
        }
    }
    Some(outcomes.measured())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        mechanism::Mechanism,
        pair::{Direction, SharedPair, dominating_pair},
    };

    fn pair(text: &str) -> SharedPair {
        let mechanism: Mechanism = text.parse().unwrap();
        dominating_pair(&mechanism, Direction::Remove).unwrap()
    }

    /// Closed forms, rules and plain quadrature against the certified moment generating function.
    #[test]
    fn every_source_gives_the_moment_generating_function_on_the_imaginary_axis() {
        let texts = [
            "gaussian(sigma=0.7)",
            "laplace(scale=0.5)",
            "randomized_response(epsilon=1.5)",
            "dp(epsilon=0.5, delta=0.125)",
            "poisson(gaussian(sigma=0.8), rate=0.1)",
            "poisson(laplace(scale=1), rate=0.25)",
            "truncated_gaussian(sigma=1, bound=3)",
            "binomial(n=40)",
            "gaussian_mixture(sigma=1, shifts=\"0,1,2.5\", weights=\"0.5,0.375,0.125\")",
        ];
        for text in texts {
            for pair in [pair(text), pair(text).dual()] {
                for source in [Source::Symbols, Source::DOUBLE_QUADRATURE] {
                    let phi = Phi::of(pair.as_ref(), source, 20.0).unwrap();
                    for t in [0.0, 0.3, 2.0, 7.0, 20.0] {
                        let exact = pair.mgf(Complex::new(0.0, t)).unwrap();
                        let found = phi.log(t);
                        let off = (found.value.exp() - exact.center()).norm();
                        assert!(off <= exact.radius() + 2e-14, "{text} by {source:?} at {t}: off by {off:e}");
                        let envelope = exp(phi.log_envelope(t));
                        assert!(envelope >= exact.center().norm() - 1e-13, "{text} at {t}: {envelope}");
                    }
                }
            }
        }
    }
}
