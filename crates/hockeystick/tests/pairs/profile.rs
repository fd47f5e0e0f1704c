//! Pairs that are defined by a profile, against closed forms and definitions.

use hockeystick::{
    mechanism::{ApproximateDp, Gaussian, Mechanism},
    pair::{
        Atom, Bound, DominatingPair, InnerDistribution, JoinedPair, PiecewisePair, RatioLaw, SharedPair,
        Tails,
    },
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// The closed form for any real `ε`: below 0 by `1 − δ(−ε) = e^{−ε}(1 − δ(ε))`, both being self-dual.
fn closed_form(mechanism: &Mechanism, epsilon: f64) -> Enclosure {
    let answer = hockeystick::delta(mechanism, epsilon.abs()).unwrap();
    let delta = Enclosure::new(answer.lower().unwrap(), answer.upper());
    if epsilon >= 0.0 { delta } else { (delta.one_minus() * Enclosure::point(epsilon).exp()).one_minus() }
}

/// The one bound of an (ε, δ)-DP mechanism makes the pair of [KOV15, Thm 3.3].
#[test]
fn one_bound_is_approximate_randomised_response() {
    for (epsilon, delta) in [(1.0, 1e-6), (0.1, 0.0), (0.0, 0.3), (5.0, 0.5)] {
        let pair = PiecewisePair::new(&[Bound::new(epsilon, delta).unwrap()]);
        let mechanism = Mechanism::from(ApproximateDp::new(epsilon, delta).unwrap());
        for step in -60..=60 {
            let at = f64::from(step) * 0.1;
            let (ours, theirs) = (pair.delta(Ball::from(at)).value(), closed_form(&mechanism, at));
            assert!(ours.overlaps(theirs), "({epsilon}, {delta}) at {at}: {ours:?} {theirs:?}");
            assert!(ours.width() <= 1e-15);
        }
    }
}

/// A sampled profile dominates the profile it was sampled from, and comes closer with every point: chords err by the
/// square of their length.
#[test]
fn a_sampled_gaussian_dominates_and_converges() {
    let gaussian = Mechanism::from(Gaussian::new(1.0).unwrap());
    let sampled = |cells: u32| {
        let bounds: Vec<Bound> = (0..=cells)
            .map(|cell| {
                let epsilon = 6.0 * f64::from(cell) / f64::from(cells);
                Bound::new(epsilon, closed_form(&gaussian, epsilon).upper()).unwrap()
            })
            .collect();
        PiecewisePair::new(&bounds)
    };
    let mut last = f64::INFINITY;
    for cells in [10, 40, 160, 640, 2560] {
        let pair = sampled(cells);
        let mut worst = 0f64;
        for step in -550..=550 {
            let at = f64::from(step) * 0.01;
            let (bound, truth) = (pair.delta(Ball::from(at)).value(), closed_form(&gaussian, at));
            assert!(bound.upper() >= truth.lower(), "{cells} cells at {at}: {bound:?} below {truth:?}");
            worst = worst.max(bound.midpoint() - truth.midpoint());
        }
        assert!(worst <= last / 10.0, "{cells} cells: {worst:e} after {last:e}");
        assert_eq!(pair.corners(), 2 * cells as usize + 1);
        last = worst;
    }
    assert!(last < 1e-6, "{last:e}");
}

/// Outcomes with their probabilities under `P` and `Q`: the definition, in plain interval arithmetic.
#[derive(Clone, Debug)]
struct Outcomes(Vec<(Enclosure, Enclosure)>);

impl Outcomes {
    fn new(p: &[f64], q: &[f64]) -> Self {
        Self(p.iter().zip(q).map(|(&p, &q)| (p.into(), q.into())).collect())
    }

    /// `((1−γ)Q + γP, Q)`.
    fn upper(&self, rate: f64) -> Self {
        let (kept, rate) = (Enclosure::point(rate).one_minus(), Enclosure::point(rate));
        Self(self.0.iter().map(|&(p, q)| (kept * q + rate * p, q)).collect())
    }

    fn swapped(&self) -> Self {
        Self(self.0.iter().map(|&(p, q)| (q, p)).collect())
    }

    /// `(P, (1−γ)P + γQ)`.
    fn lower(&self, rate: f64) -> Self {
        self.swapped().upper(rate).swapped()
    }

    /// The sum over outcomes of loss above `ε`; outcomes that cannot be told may be in it or not.
    fn above(&self, epsilon: Ball, f: impl Fn(Enclosure, Enclosure) -> Enclosure) -> Probability {
        let alpha = epsilon.exp_enclosure();
        let mut sum = Enclosure::ZERO;
        for &(p, q) in &self.0 {
            let gap = p - alpha * q;
            if gap.lower() > 0.0 {
                sum = sum + f(p, q);
            } else if gap.upper() > 0.0 {
                sum = sum + f(p, q).hull(Enclosure::ZERO);
            }
        }
        Probability::from_value(sum)
    }
}

impl DominatingPair for Outcomes {
    fn delta(&self, epsilon: Ball) -> Probability {
        let alpha = epsilon.exp_enclosure();
        self.above(epsilon, |p, q| p - alpha * q)
    }
    fn tails(&self, epsilon: Ball) -> Tails {
        Tails { p: self.above(epsilon, |p, _| p), q: self.above(epsilon, |_, q| q) }
    }
    fn infinite_mass(&self) -> Probability {
        Probability::from_value(
            self.0
                .iter()
                .filter(|(_, q)| *q == Enclosure::ZERO)
                .fold(Enclosure::ZERO, |sum, &(p, _)| sum + p),
        )
    }
    fn vanishing_mass(&self) -> Probability {
        self.swapped().infinite_mass()
    }
    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let losses = || {
            let both = self.0.iter().filter(|(p, q)| p.lower() > 0.0 && q.lower() > 0.0);
            both.map(|&(p, q)| (p / q).ln())
        };
        let least = losses().reduce(|a, b| -(-a).max(-b)).unwrap();
        least..=losses().reduce(Enclosure::max).unwrap()
    }
    fn ratio_law(&self) -> RatioLaw {
        let both = self.0.iter().filter(|(p, q)| p.lower() > 0.0 && q.lower() > 0.0);
        let ball = |x: Enclosure| Ball::new(x.midpoint().into(), x.width());
        let atoms = both.map(|&(p, q)| Atom { loss: (ball(p) / ball(q)).ln(), p, q }).collect();
        RatioLaw { atoms, ..RatioLaw::default() }
    }
    fn dual(&self) -> SharedPair {
        Arc::new(self.swapped())
    }
}

/// A base that is not self-dual, with outcomes that only one side can have.
fn lopsided() -> Outcomes {
    Outcomes::new(&[0.25, 0.5, 0.125, 0.125, 0.0], &[0.0, 0.125, 0.125, 0.5, 0.25])
}

fn joined(base: &Outcomes, rate: f64) -> JoinedPair {
    JoinedPair::new(Arc::new(base.upper(rate)), Arc::new(base.lower(rate)))
}

#[test]
fn a_join_is_the_larger_of_its_halves() {
    for base in
        [lopsided(), Outcomes::new(&[0.75, 0.25], &[0.25, 0.75]), Outcomes::new(&[1.0, 0.0], &[0.875, 0.125])]
    {
        for rate in [0.01, 0.5, 1.0] {
            let (a, b, join) = (base.upper(rate), base.lower(rate), joined(&base, rate));
            for step in -40..=40 {
                let at = Ball::from(f64::from(step) * 0.1);
                let larger = a.delta(at).value().max(b.delta(at).value());
                let delta = join.delta(at).value();
                assert!(delta.overlaps(larger) && delta.width() < 1e-14, "{base:?} {rate} {at:?}");
            }
        }
    }
}

/// Convex in `α`, decreasing, above `(1 − α)₊`, tails as slopes; and swapping swaps.
#[test]
fn a_join_is_the_curve_of_a_pair() {
    for base in [
        lopsided(),
        Outcomes::new(&[0.75, 0.25], &[0.375, 0.625]),
        Outcomes::new(&[1.0, 0.0], &[0.875, 0.125]),
    ] {
        for rate in [0.01, 0.3, 1.0] {
            let join = joined(&base, rate);
            let dual = join.dual();
            let h = |alpha: f64| join.delta(Ball::from(alpha).ln()).value();
            for step in 1..=60 {
                let alpha = f64::from(step) * 0.05;
                let chord = (h(alpha - 0.04) + h(alpha + 0.04)) * 0.5;
                assert!(h(alpha).lower() <= chord.upper(), "{base:?} {rate} is not convex at {alpha}");
                assert!(h(alpha).upper() >= 1.0 - alpha && h(alpha).upper() >= h(alpha + 0.04).lower());
                let at = Ball::from(alpha).ln();
                let tails = join.tails(at);
                let sum = h(alpha) + Enclosure::point(alpha) * tails.q.value();
                assert!(tails.p.value().overlaps(sum), "{base:?} {rate} {alpha}");
                let fall = h(alpha) - h(alpha + 0.04);
                assert!(fall.lower() <= 0.04000001 * tails.q.value().upper() + 1e-15);
                let swapped = (h(alpha).one_minus() / alpha).one_minus();
                assert!(dual.delta(-at).value().overlaps(swapped), "{base:?} {rate} {alpha}");
            }
        }
    }
}

/// `P = (¾, ¼)`, `Q = (¼, ¾)`, `γ = ½`: `A = ((½, ½), (¼, ¾))` and `B = ((¾, ¼), (½, ½))`. The slope is −½ on the left of 1
/// and −¼ on the right.
#[test]
fn the_joint_is_an_atom_at_zero() {
    let base = Outcomes::new(&[0.75, 0.25], &[0.25, 0.75]);
    let join = JoinedPair::of_self_dual(Arc::new(base.upper(0.5)));
    assert!(join.is_self_dual());
    assert_eq!(join.delta(Ball::ZERO).value(), 0.25.into());
    assert_eq!(join.tails(Ball::ZERO).q.value(), 0.25.into());
    assert_eq!(join.tails(Ball::ZERO).p.value(), 0.5.into());
    let just_below = join.tails(Ball::from(-1e-300)).q.value();
    assert!((just_below.midpoint() - 0.5).abs() < 1e-15, "{just_below:?}");
    let around = join.tails(Ball::new(0.0.into(), 1e-30)).q.value();
    assert!(around.contains(0.25) && around.contains(0.5));
    let losses = join.finite_losses();
    assert!(losses.start().contains(-2f64.ln()) && losses.end().contains(2f64.ln()));
    for step in -20..=20 {
        let at = Ball::from(f64::from(step) * 0.1);
        assert!(join.delta(at).value().overlaps(join.dual().delta(at).value()));
    }
}

/// Masses at infinity come from the half that has them, and so does the transform: with `γ = ½`, `A` has the positive loss
/// `log 5/2` with `P = 5/16`, `B` the negative loss `−log 5/2` with `P = 1/8`, and what is left of 1 has the loss 0.
#[test]
fn a_join_keeps_both_infinities() {
    let join = joined(&lopsided(), 0.5);
    assert_eq!(join.infinite_mass().value(), 0.125.into());
    assert_eq!(join.vanishing_mass().value(), 0.125.into());
    let (up, down, rest) = (0.3125, 0.125, 1.0 - 0.125 - 0.3125 - 0.125);
    for z in [-1.5, -0.5, 0.0, 2.0] {
        let truth = up * 2.5f64.powf(z) + down * 2.5f64.powf(-z) + rest;
        let found = join.mgf(z.into()).unwrap();
        assert!(
            (found.center().re - truth).abs() <= 1e-14 * truth && found.radius() < 1e-13,
            "{z}: {found:?}"
        );
    }
    let mean = InnerDistribution::of(&join).moments().unwrap().mean;
    let truth = 2.5f64.ln() * (up - down) / 0.875;
    assert!((mean.midpoint() - truth).abs() < 1e-15 && mean.width() < 1e-13, "{mean:?}");
}

/// Of a law that lists nothing, nothing is claimed.
#[test]
fn unknown_laws_have_no_moments() {
    let law = RatioLaw::unknown();
    assert_eq!((law.moments(), law.outcomes(0.0), law.strip()), (None, None, (-1.0, 0.0)));
    assert!(law.mgf(1.0.into()).is_none());
    assert_eq!(law.mgf((-0.5).into()).unwrap().radius(), 1.0);
    let join = JoinedPair::of_self_dual(Arc::new(PiecewisePair::new(&[Bound::new(1.0, 0.1).unwrap()])));
    assert!(InnerDistribution::of(&join).moments().is_some() && join.ratio_law() == law);
}
