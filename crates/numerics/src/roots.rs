//! Bracketed root finding: the answer is the bracket, so callers can take its safe side.

use crate::limits::check;
use thiserror::Error;

/// How narrow a final bracket must be: at most `absolute + relative·|x|` at its end x nearer to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// The part that does not depend on the size of the root.
    pub absolute: f64,
    /// The part in proportion to the root.
    pub relative: f64,
}

impl Tolerance {
    /// Down to two neighbouring floating-point numbers.
    pub const ADJACENT: Self = Self { absolute: 0.0, relative: 0.0 };

    /// A width in proportion to the root.
    #[must_use]
    pub const fn relative(relative: f64) -> Self {
        Self { absolute: 0.0, relative }
    }

    /// A fixed width.
    #[must_use]
    pub const fn absolute(absolute: f64) -> Self {
        Self { absolute, relative: 0.0 }
    }

    pub(crate) fn width(&self, x: f64, y: f64) -> f64 {
        self.relative.mul_add(x.abs().min(y.abs()), self.absolute)
    }
}

/// An interval at whose ends a function has opposite signs, or a root hit exactly (`lower == upper`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The function's value at the lower end.
    pub at_lower: f64,
    /// The function's value at the upper end.
    pub at_upper: f64,
}

/// Why no root was bracketed.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum RootError {
    /// The function is not a number somewhere in the bracket.
    #[error("the function is not a number at {at}")]
    NotANumber {
        /// The argument.
        at: f64,
    },
    /// The ends do not enclose a sign change.
    #[error("no sign change between f({lower}) = {at_lower} and f({upper}) = {at_upper}")]
    NoSignChange {
        /// The lower end.
        lower: f64,
        /// The upper end.
        upper: f64,
        /// The function's value at the lower end.
        at_lower: f64,
        /// The function's value at the upper end.
        at_upper: f64,
    },
    /// The ends are not finite, or not in order.
    #[error("[{lower}, {upper}] is not a finite interval")]
    NotAnInterval {
        /// The lower end.
        lower: f64,
        /// The upper end.
        upper: f64,
    },
    /// The evaluations ran out. The safeguards make this impossible; it is here so that no loop is endless.
    #[error("no convergence: the root is between {lower} and {upper}")]
    NoConvergence {
        /// The lower end so far.
        lower: f64,
        /// The upper end so far.
        upper: f64,
    },
}

/// How to bisect.
#[derive(Clone, Copy)]
enum Midpoint {
    /// Halves the width: good when the root is of the size of the bracket.
    Arithmetic,
    /// Splits at zero, then halves the number of floating-point numbers: reaches a root of any size in 65
    /// steps.
    BySize,
}

impl Midpoint {
    /// Arithmetic at first, later in turns.
    fn choose(midpoints_so_far: u32) -> Self {
        if midpoints_so_far >= 3 && midpoints_so_far % 2 == 1 { Self::BySize } else { Self::Arithmetic }
    }
}

/// Interpolation may fail this often in a row to halve the bracket before a bisection is forced.
const PATIENCE: u32 = 3;
/// 65 bisections by size, as many arithmetic ones in turn, each after a full patience of three: 520, and
/// some to spare.
const MAX_EVALUATIONS: u32 = 600;

/// Narrows [lower, upper] around a sign change of `f` until it is within `tolerance`.
///
/// # Guarantee
/// The returned bracket lies in [lower, upper]; `f` has opposite signs at its ends (or vanishes where they
/// coincide), as evaluated; it is as narrow as asked, or its ends are neighbouring numbers. For continuous f
/// it contains a root. At most 600 evaluations; typically about ten.
///
/// # Errors
/// [`RootError`] if `f` is not a number where it is evaluated, the ends are no interval, or `f` has the same
/// sign at both.
///
/// # Implementation
/// Inverse quadratic interpolation where Chandrupatla's criterion (Adv. Eng. Softw. 28, 1997) trusts it, else
/// bisection. A proposal aims past the root by almost half the tolerance, so that the bracket closes from
/// both sides. If three proposals in a row do not halve the bracket, a bisection does, in turns of its width
/// and of the floating-point numbers in it, so that a root of any size is reached.
pub fn bracketed_root(
    mut f: impl FnMut(f64) -> f64,
    lower: f64,
    upper: f64,
    tolerance: Tolerance,
) -> Result<Bracket, RootError> {
    if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
        return Err(RootError::NotAnInterval { lower, upper });
    }
    let mut evaluate = |at: f64| {
        check();
        let value = f(at);
        if value.is_nan() { Err(RootError::NotANumber { at }) } else { Ok(value) }
    };
    let mut bracket = Bracket { lower, upper, at_lower: evaluate(lower)?, at_upper: evaluate(upper)? };
    if let Some(root) = bracket.exact_root() {
        return Ok(root);
    }
    if bracket.at_lower.signum() == bracket.at_upper.signum() {
        let Bracket { at_lower, at_upper, .. } = bracket;
        return Err(RootError::NoSignChange { lower, upper, at_lower, at_upper });
    }

    let mut dropped: Option<(f64, f64)> = None;
    let mut width_to_halve = bracket.width();
    let (mut failures, mut midpoints) = (0, 0);
    for _ in 0..MAX_EVALUATIONS {
        let wanted = tolerance.width(bracket.lower, bracket.upper);
        if bracket.width() <= wanted || bracket.is_closed() {
            return Ok(bracket);
        }
        let proposal = match dropped {
            Some(dropped) if failures < PATIENCE => bracket.interpolation(dropped, wanted),
            _ => None,
        };
        let forced = failures >= PATIENCE;
        let at = proposal.unwrap_or_else(|| {
            midpoints += 1;
            bracket.midpoint(Midpoint::choose(midpoints - 1))
        });
        let value = evaluate(at)?;
        dropped = Some(bracket.replace_end(at, value));
        if let Some(root) = bracket.exact_root() {
            return Ok(root);
        }
        if forced || bracket.width() <= 0.5 * width_to_halve {
            width_to_halve = bracket.width();
            failures = 0;
        } else {
            failures += 1;
        }
    }
    Err(RootError::NoConvergence { lower: bracket.lower, upper: bracket.upper })
}

impl Bracket {
    /// The distance between the ends; infinite where it exceeds the largest number.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// No number lies between the ends.
    fn is_closed(&self) -> bool {
        self.lower.next_up() >= self.upper
    }

    fn exact_root(&self) -> Option<Self> {
        if self.at_lower == 0.0 {
            Some(Self { upper: self.lower, at_upper: self.at_lower, ..*self })
        } else if self.at_upper == 0.0 {
            Some(Self { lower: self.upper, at_lower: self.at_upper, ..*self })
        } else {
            None
        }
    }

    /// Puts (at, value) in the place of the end whose sign it shares, and returns that end.
    fn replace_end(&mut self, at: f64, value: f64) -> (f64, f64) {
        if value.signum() == self.at_lower.signum() {
            let dropped = (self.lower, self.at_lower);
            (self.lower, self.at_lower) = (at, value);
            dropped
        } else {
            let dropped = (self.upper, self.at_upper);
            (self.upper, self.at_upper) = (at, value);
            dropped
        }
    }

    /// A number strictly inside a bracket that is not closed.
    fn midpoint(&self, kind: Midpoint) -> f64 {
        let (lower, upper) = (self.lower, self.upper);
        let middle = match kind {
            Midpoint::Arithmetic => 0.5 * lower + 0.5 * upper,
            Midpoint::BySize if lower < 0.0 && upper > 0.0 => 0.0,
            Midpoint::BySize => {
                let representation = lower.abs().to_bits().midpoint(upper.abs().to_bits());
                f64::from_bits(representation).copysign(lower + upper)
            }
        };
        middle.clamp(lower.next_up(), upper.next_down())
    }

    /// Inverse quadratic interpolation through both ends and the point last dropped, kept almost half of
    /// `wanted` away from the ends; nothing where the three points do not look like a monotone curve.
    fn interpolation(&self, dropped: (f64, f64), wanted: f64) -> Option<f64> {
        let (a, fa) = (self.lower, self.at_lower);
        let (b, fb) = (self.upper, self.at_upper);
        let (c, fc) = dropped;
        // Position and height of the newer end between the other two points, as in Chandrupatla.
        let (newer, f_newer, older, f_older) =
            if fc.signum() == fa.signum() { (a, fa, b, fb) } else { (b, fb, a, fa) };
        let position = (newer - older) / (c - older);
        let height = (f_newer - f_older) / (fc - f_older);
        if !(height * height < position && (1.0 - height) * (1.0 - height) < 1.0 - position) {
            return None;
        }
        let step = f_newer / (f_older - f_newer) * (fc / (f_older - fc)) * (older - newer)
            + f_newer / (fc - f_newer) * (f_older / (fc - f_older)) * (c - newer);
        // Aim a little beyond the root, so that the far end follows and the bracket closes from both sides.
        let margin = 0.45 * wanted;
        let proposal = newer + step + margin.copysign(older - newer);
        proposal
            .is_finite()
            .then(|| proposal.max(a + margin).min(b - margin).max(a.next_up()).min(b.next_down()))
    }
}
