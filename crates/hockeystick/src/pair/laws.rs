//! What every pair obeys, whatever its formulas: checked on enclosures, so that only a wrong formula can fail.

use super::DominatingPair;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Checks the laws on at least three different thresholds.
pub(super) fn check(pair: &dyn DominatingPair, thresholds: &[f64]) {
    let mut thresholds = thresholds.to_vec();
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    assert!(thresholds.len() >= 3, "nothing to check in {thresholds:?}");
    is_a_curve(pair, &thresholds);
    tails_are_slopes(pair, &thresholds);
    dual_is_swapped(pair, &thresholds);
    ends_are_limits(pair);
}

fn alpha(epsilon: f64) -> Enclosure {
    Enclosure::point(epsilon).exp()
}

fn value(pair: &dyn DominatingPair, epsilon: f64) -> Enclosure {
    let delta = pair.delta(Ball::from(epsilon));
    assert!(delta.value().overlaps(delta.complement().one_minus()), "{pair:?} at {epsilon}: {delta:?}");
    delta.value()
}

/// Decreasing, convex in `α` and at least `(1 − α)₊` ([Zhu22, Lemma 9]).
fn is_a_curve(pair: &dyn DominatingPair, thresholds: &[f64]) {
    for at in thresholds.windows(3) {
        let [a, b, c] = [alpha(at[0]), alpha(at[1]), alpha(at[2])];
        let [x, y, z] = [value(pair, at[0]), value(pair, at[1]), value(pair, at[2])];
        assert!(y.upper() >= b.one_minus().lower(), "{pair:?} is below 1 − α at {}", at[1]);
        assert!(x.upper() >= y.lower() && y.upper() >= z.lower(), "{pair:?} grows around {}", at[1]);
        let chord = x * (c - b) + z * (b - a);
        assert!((y * (c - a)).lower() <= chord.upper(), "{pair:?} is not convex around {}", at[1]);
    }
}

/// `P(L > ε) = H + αQ(L > ε)`, and `H` falls between two thresholds by what `Q`'s decreasing tail allows.
fn tails_are_slopes(pair: &dyn DominatingPair, thresholds: &[f64]) {
    for &at in thresholds {
        let tails = pair.tails(Ball::from(at));
        let sum = value(pair, at) + alpha(at) * tails.q.value();
        assert!(tails.p.value().overlaps(sum), "{pair:?} at {at}: {tails:?} against {sum:?}");
        assert!(tails.p.value().overlaps(tails.p.complement().one_minus()));
        assert!(tails.q.value().overlaps(tails.q.complement().one_minus()));
    }
    for at in thresholds.windows(2) {
        let step = alpha(at[1]) - alpha(at[0]);
        let fall = value(pair, at[0]) - value(pair, at[1]);
        let [steep, flat] = [at[0], at[1]].map(|at| step * pair.tails(Ball::from(at)).q.value());
        assert!(fall.lower() <= steep.upper(), "{pair:?} falls too fast in {at:?}");
        assert!(fall.upper() >= flat.lower(), "{pair:?} falls too slowly in {at:?}");
    }
}

/// `1 − H'(1/α) = (1 − H(α))/α` ([Zhu22, Lemma 46]); what the dual's `P` has above `−ε` is what `Q` has below `ε`.
fn dual_is_swapped(pair: &dyn DominatingPair, thresholds: &[f64]) {
    let dual = pair.dual();
    for &at in thresholds {
        let mirrored = dual.delta(Ball::from(-at)).complement();
        let expected = alpha(-at) * pair.delta(Ball::from(at)).complement();
        assert!(mirrored.overlaps(expected), "{pair:?} at {at}: {mirrored:?} against {expected:?}");
        if pair.is_self_dual() {
            assert!(dual.delta(Ball::from(at)).value().overlaps(value(pair, at)), "{pair:?} at {at}");
        }
    }
    for at in thresholds.windows(2) {
        let below = dual.tails(Ball::from(-at[1]));
        let above = pair.tails(Ball::from(at[0]));
        assert!(below.p.value().lower() <= pair.tails(Ball::from(at[1])).q.complement().upper());
        assert!(below.p.value().upper() >= above.q.complement().lower(), "{pair:?} in {at:?}");
        assert!(below.q.value().upper() >= above.p.complement().lower(), "{pair:?} in {at:?}");
    }
    assert!(dual.infinite_mass().value().overlaps(pair.vanishing_mass().value()));
    assert!(dual.vanishing_mass().value().overlaps(pair.infinite_mass().value()));
}

/// Beyond the finite losses the tails are the masses at infinity.
fn ends_are_limits(pair: &dyn DominatingPair) {
    let losses = pair.finite_losses();
    let (bottom, top) = (losses.start().lower(), losses.end().upper());
    if top.is_finite() {
        let tails = pair.tails(Ball::from(top));
        assert!(pair.delta(Ball::from(top)).value().overlaps(pair.infinite_mass().value()));
        assert!(tails.p.value().overlaps(pair.infinite_mass().value()));
        assert_eq!(tails.q.value().lower(), 0.0);
    }
    if bottom.is_finite() {
        let tails = pair.tails(Ball::from(bottom.next_down()));
        assert!(tails.q.complement().overlaps(pair.vanishing_mass().value()));
        assert_eq!(tails.p.value().upper(), 1.0);
    }
}
