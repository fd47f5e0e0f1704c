//! Aliasing: by how much a periodic sum exceeds the sum over one period.

use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// The data of an aliasing bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aliasing {
    /// The period T of the window.
    pub(crate) period: f64,
    /// Orders λ below and above the tilt.
    pub(crate) orders: [f64; 2],
    /// Bounds on `log E[e^{λL}; L < ∞]`.
    pub(crate) log_moments: [f64; 2],
}

impl Aliasing {
    /// A bound on the aliasing at ε, under a tilt.
    #[inline]
    pub(crate) fn excess(&self, tilt: f64, epsilon: f64) -> f64 {
        let bound = |i: usize| wrapped(tilt, self.orders[i], self.period, self.log_moments[i], epsilon);
        (bound(0) + bound(1)) * (1.0 + 1e-8)
    }
}

/// `κ(λ) M(λ) e^{−λε} / (e^{|λ−c|T} − 1)`, rounded up: the copies at least one period away, on one side. Computed in logarithms, so that neither
/// a large moment nor a long period overflows.
fn wrapped(tilt: f64, order: f64, period: f64, log_moment: f64, epsilon: f64) -> f64 {
    let (rise, fall) = if order > 0.0 {
        (order * order.ln(), (1.0 + order) * (1.0 + order).ln())
    } else {
        // At the order 0 it is the trivial g ≤ M(0).
        (0.0, 0.0)
    };
    let decay = (order - tilt).abs() * period;
    let sizes = rise.abs() + fall + log_moment.abs() + (order * epsilon).abs() + decay;
    let log = rise - fall + log_moment - order * epsilon - decay + 8.0 * UNIT_ROUNDOFF * sizes;
    // An underflow must not make it 0.
    log.exp() / -(-decay).exp_m1() + 1e-320
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    /// The exponent was once capped at 700 before the period was taken off it, which made the bound too small.
    #[test]
    fn a_large_moment_is_not_capped() {
        // κ(2) e^{709 − 4} e^{−10}/(1 − e^{−10}) = (4/27) e^{695.000045…}.
        let bound = wrapped(1.0, 2.0, 10.0, 709.0, 2.0);
        assert!(bound >= 4.0 / 27.0 * 695.000_045f64.exp() && bound <= 0.15 * 695.000_1f64.exp());
        assert_eq!(wrapped(1.0, 1.0, 10.0, 0.0, 2.0), f64::INFINITY);
        assert!(wrapped(5.0, 0.0, 300.0, 0.0, 2.0) > 0.0);
    }
}
