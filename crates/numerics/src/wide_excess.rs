//! `Σ p (s e^{zL} − 1 + z(e^{−L} − 1))` for z = c, c + ih, c + 2ih, … with 106 bits.
//!
//! Where p are the masses of a law and `p e^{−L}` those of another, both of which have 1 in all, this is by how much the mean of `s e^{zL}` exceeds 1.
//! The excess of one of many equal factors is tiny, and its digits are those of their product. Of small `zL` the first two terms cancel term by term,
//! so that what is left is as small as `z(z + 1)L²`, and so are its errors.

use crate::{
    double_double::DoubleDouble,
    wide_array::{WideArray, WideComplexArray},
    wide_complex::WideComplex,
    wide_sums::{self, FARTHEST, Groups, LEFT, Uncertain, WideSum, WideSums},
};

/// The masses of a law in pieces, each of one loss.
#[derive(Clone, Debug, Default)]
pub struct LawPieces {
    /// `L`.
    pub losses: Uncertain,
    /// `ps`: what counts of it.
    pub inside: Uncertain,
    /// `p(1 − s)`: what does not.
    pub outside: Uncertain,
    /// `e^{−L} − 1`.
    pub surpluses: Uncertain,
}

/// The points `c + inh` of a line, n = 0 … count − 1.
#[derive(Clone, Copy, Debug)]
pub struct WideLine {
    /// `c`.
    pub tilt: f64,
    /// `h`.
    pub step: f64,
    /// The number of points.
    pub count: usize,
}

/// Larger exponents are not looked at, and less is nothing: of all masses, and what they are off, `e^{−700}` is less than the second.
const LARGEST_EXPONENT: f64 = 700.0;
const NOTHING: f64 = 1e-300;
const U: f64 = DoubleDouble::ARITHMETIC_ERROR;

/// What is known of the excess.
#[derive(Clone, Debug)]
pub struct WideExcess {
    line: WideLine,
    /// Losses that turn little.
    middle: Groups,
    /// The others.
    turned: Option<WideSums>,
    /// What has neither: a constant, and what z multiplies.
    constant: DoubleDouble,
    slope: DoubleDouble,
    /// What these are off.
    constant_error: f64,
    slope_error: f64,
    /// What the first are off, divided by `|z|(|z| + 1)`, and what was too small.
    middle_error: f64,
}

impl WideExcess {
    /// `None` if an exponent is too large.
    ///
    /// # Guarantee
    /// With `b = e^{zL} − 1 + z(e^{−L} − 1)` the terms are `ps·b − p(1 − s)(1 − z(e^{−L} − 1))`. For `m = max(1, e^{−L}, e^{cL})`,
    /// `|b| ≤ |z|(|z| + 1) L² m/2`, for its second derivative is `z²e^{zL} + ze^{−L}` and both it and its first vanish at 0; and what L is off moves b by
    /// `|z||z + 1||L|m` times that.
    ///
    /// As a polynomial in n: `b = φ(cL) + cφ(−L) + inh(L(e^{cL} − 1) + φ(−L)) + e^{cL} Σ (inhL)^m/m!` over m ≥ 2, `φ(x) = e^x − 1 − x`. All of these
    /// are known to a part of themselves, and their moduli are at most `|z|(|z| + 1) L² m e^{N|hL|}` together. What it leaves and sums in doubles is a part of
    /// `6^m/m!`, and hence `(NhL/6)²` of it.
    #[must_use]
    pub fn new(pieces: &LawPieces, line: WideLine) -> Option<Self> {
        let LawPieces { losses, inside, outside, surpluses } = pieces;
        let all = losses.values.len();
        let is_inside = |i: &usize| inside.values.leading()[*i] != 0.0 || inside.errors[*i] != 0.0;
        let height = line.step * line.count as f64;
        let exponent = |i: &usize| losses.values.leading()[*i] * line.tilt;
        let is_middle = |i: &usize| {
            let is_near = losses.values.leading()[*i].abs() * height * (1.0 + 1e-9) <= FARTHEST;
            is_near && exponent(i) > -LARGEST_EXPONENT
        };
        let (middle, others): (Vec<usize>, Vec<usize>) = (0..all).filter(is_inside).partition(is_middle);
        if !(0..all).filter(is_inside).all(|i| exponent(&i) < LARGEST_EXPONENT) {
            return None;
        }
        // Of these nothing is left of `e^{zL}`.
        let (turned, fallen): (Vec<usize>, Vec<usize>) =
            others.into_iter().partition(|i| exponent(i) > -LARGEST_EXPONENT);
        let some = |array: &WideArray, numbers: &[usize]| {
            let mut some = WideArray::default();
            numbers.iter().for_each(|i| some.push(array.at(*i)));
            some
        };
        let mut excess = Self {
            line,
            middle: Groups::default(),
            turned: None,
            constant: DoubleDouble::ZERO,
            slope: DoubleDouble::ZERO,
            constant_error: wide_sums::ALL_TINY + NOTHING,
            slope_error: 0.0,
            middle_error: 0.0,
        };
        excess.add_middle(pieces, &middle, some);
        excess.add_turned(pieces, &turned, some)?;
        excess.add_laws(pieces, &turned, some);
        excess.add_laws(pieces, &fallen, some);
        let masses = outside.values.clone();
        excess.add_law(masses, &outside.errors, surpluses.values.clone(), &surpluses.errors);
        let errors = excess.constant_error + excess.slope_error + excess.middle_error;
        errors.is_finite().then_some(excess)
    }

    fn add_middle(
        &mut self,
        pieces: &LawPieces,
        numbers: &[usize],
        some: impl Fn(&WideArray, &[usize]) -> WideArray,
    ) {
        if numbers.is_empty() {
            return;
        }
        let WideLine { tilt, step, count } = self.line;
        let (losses, masses) = (some(&pieces.losses.values, numbers), some(&pieces.inside.values, numbers));
        let (c, h) = (DoubleDouble::from(tilt), DoubleDouble::from(step));
        let (growths, rests) = tilted(&losses, c).exp_m1_and_rest();
        let (_, falls) = tilted(&losses, -DoubleDouble::ONE).exp_m1_and_rest();
        let constants = rests.zip(
            &falls,
            #[inline(always)]
            |rest, fall| rest + fall * c,
        );
        let slopes = growths
            .clone()
            .zip(
                &losses,
                #[inline(always)]
                |growth, loss| growth * loss,
            )
            .zip(
                &falls,
                #[inline(always)]
                |product, fall| product + fall,
            );
        let weights = growths.zip(
            &masses,
            #[inline(always)]
            |growth, mass| mass + growth * mass,
        );
        let weighed = |list: WideArray| {
            wide_sums::sum_of(&list.zip(
                &masses,
                #[inline(always)]
                |term, mass| term * mass,
            ))
        };
        let height = step * count.saturating_sub(1) as f64;
        let of_all = 2.0 * WideArray::REST_ERROR
            + wide_sums::powers_error(numbers.len())
            + LEFT / (FARTHEST * FARTHEST)
            + WideComplex::PRODUCT_ERROR
            + 4.0 * U;
        for (n, i) in numbers.iter().enumerate() {
            let (loss, mass) = (losses.leading()[n].abs(), masses.leading()[n] * (1.0 + 1e-12));
            let (loss_error, mass_error) = (pieces.losses.errors[*i], pieces.inside.errors[*i]);
            let exponent = (tilt * losses.leading()[n]).max(-losses.leading()[n]).max(0.0) + 1e-9;
            let most = exponent.exp() * (height * loss).exp();
            let of_each = of_all + 4.0 * U * ((tilt * loss).abs() + 1.0);
            let of_terms = loss * loss * (mass * of_each + mass_error);
            self.middle_error +=
                1.02 * most * (of_terms + (loss + loss_error) * loss_error * (mass + mass_error));
        }
        let angles = tilted(&losses, h);
        self.middle = Groups::of_middle(weights, &angles, count);
        let whole = DoubleDouble::from(count.saturating_sub(1) as f64);
        self.middle.replace_first([weighed(constants), weighed(slopes) * h * whole]);
    }

    fn add_turned(
        &mut self,
        pieces: &LawPieces,
        numbers: &[usize],
        some: impl Fn(&WideArray, &[usize]) -> WideArray,
    ) -> Option<()> {
        if numbers.is_empty() {
            return Some(());
        }
        let WideLine { tilt, step, count } = self.line;
        let (losses, masses) = (some(&pieces.losses.values, numbers), some(&pieces.inside.values, numbers));
        let errors = |of: &Uncertain| -> Vec<f64> { numbers.iter().map(|i| of.errors[*i]).collect() };
        let (loss_errors, mass_errors) = (errors(&pieces.losses), errors(&pieces.inside));
        let growths = tilted(&losses, DoubleDouble::from(tilt)).exp();
        let weights = growths.clone().zip(
            &masses,
            #[inline(always)]
            |growth, mass| growth * mass,
        );
        let angles = tilted(&losses, DoubleDouble::from(step));
        let (mut of_weights, mut of_angles) = (vec![], vec![]);
        for n in 0..numbers.len() {
            let (loss, loss_error) = (losses.leading()[n].abs(), loss_errors[n]);
            let relative = DoubleDouble::FUNCTION_ERROR
                + 4.0 * U * (1.0 + tilt.abs() * loss)
                + 1.01 * tilt.abs() * loss_error;
            let growth = growths.leading()[n] * (1.0 + 1e-9);
            of_weights.push(1.01 * growth * (masses.leading()[n] * relative + mass_errors[n]));
            of_angles.push(1.01 * step * loss_error + 2.0 * U * angles.leading()[n].abs());
        }
        let weights = Uncertain { values: weights, errors: of_weights };
        self.turned = Some(WideSums::new(&weights, &Uncertain { values: angles, errors: of_angles }, count)?);
        Some(())
    }

    /// What is inside of some pieces, as [`add_law`](Self::add_law) takes it.
    fn add_laws(
        &mut self,
        pieces: &LawPieces,
        numbers: &[usize],
        some: impl Fn(&WideArray, &[usize]) -> WideArray,
    ) {
        let errors = |of: &Uncertain| -> Vec<f64> { numbers.iter().map(|i| of.errors[*i]).collect() };
        let (masses, surpluses) =
            (some(&pieces.inside.values, numbers), some(&pieces.surpluses.values, numbers));
        self.add_law(masses, &errors(&pieces.inside), surpluses, &errors(&pieces.surpluses));
    }

    /// Takes away masses, and adds what these have more of the other law, times z.
    fn add_law(
        &mut self,
        masses: WideArray,
        mass_errors: &[f64],
        surpluses: WideArray,
        surplus_errors: &[f64],
    ) {
        let of_sum = wide_sums::sum_error(masses.len()) + 4.0 * U;
        for n in 0..masses.len() {
            let (mass, surplus) = (masses.leading()[n].abs() * (1.0 + 1e-12), surpluses.leading()[n].abs());
            self.constant_error += 1.01 * (mass_errors[n] + of_sum * mass);
            let of_product =
                surplus * (mass_errors[n] + of_sum * mass) + surplus_errors[n] * (mass + mass_errors[n]);
            self.slope_error += 1.01 * of_product;
        }
        self.constant = self.constant - wide_sums::sum_of(&masses);
        self.slope = self.slope
            + wide_sums::sum_of(&masses.zip(
                &surpluses,
                #[inline(always)]
                |mass, surplus| mass * surplus,
            ));
    }

    /// The number of pieces that are turned one by one, or take as long.
    #[must_use]
    pub fn turned_terms(&self) -> usize {
        self.turned.as_ref().map_or(0, WideSums::turned_terms)
    }

    /// The sums at all points.
    ///
    /// # Guarantee
    /// Enclosed: as [`WideSums::along`] says of what is turned, and each sum here is rounded.
    #[must_use]
    pub fn along(&self) -> Vec<WideSum> {
        let WideLine { tilt, step, count } = self.line;
        let WideComplexArray { re, im } = self.middle.along(count);
        let mut turned = self.turned.as_ref().map(WideSums::along).unwrap_or_default().into_iter();
        let mut sums = Vec::with_capacity(count);
        for n in 0..count {
            let z =
                WideComplex { re: DoubleDouble::from(tilt), im: DoubleDouble::from_product(step, n as f64) };
            let linear = WideComplex::real(self.constant) + z.times_real(self.slope);
            let middle = WideComplex { re: re.at(n), im: im.at(n) };
            let nothing = WideSum { value: WideComplex::ZERO, error: 0.0 };
            let others = turned.next().unwrap_or(nothing);
            let size = z.modulus() * (1.0 + 1e-12);
            let sizes = self.constant.hi().abs()
                + size * self.slope.hi().abs()
                + middle.modulus()
                + others.value.modulus();
            let error = self.constant_error
                + size * self.slope_error
                + size * (size + 1.0) * self.middle_error
                + others.error
                + 8.0 * U * sizes;
            sums.push(WideSum { value: middle + (linear + others.value), error: error * (1.0 + 1e-6) });
        }
        sums
    }
}

/// Numbers times another.
fn tilted(losses: &WideArray, by: DoubleDouble) -> WideArray {
    losses.clone().map(
        #[inline(always)]
        |loss| loss * by,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `e^x − 1 − x` from its series.
    fn rest(x: WideComplex) -> WideComplex {
        let mut sum = WideComplex::ZERO;
        for n in (2..80).rev() {
            let inverse = DoubleDouble::ONE / DoubleDouble::from(f64::from(n));
            sum = ((WideComplex::ONE + sum) * x).times_real(inverse);
        }
        sum * x
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// Against the series of each term, for losses so small that 1 would hide them, and for some that turn.
        #[test]
        fn excesses_are_as_exact_as_stated(
            terms in prop::collection::vec((-12f64..0.0, -1f64..1.0, 0f64..1.0), 1..60),
            (log_scale, tilt, log_height) in (-9f64..0.0, -0.9f64..3.0, -2f64..1.2),
            (count, is_cut) in (1usize..200, any::<bool>()),
        ) {
            let scale = 10f64.powf(log_scale);
            let height = 10f64.powf(log_height) / scale;
            let tilt = if log_scale < -3.0 { tilt / scale.sqrt() } else { tilt };
            let line = WideLine { tilt, step: height / count as f64, count };
            let wide = |x: f64, t: f64| DoubleDouble::from_sum(x, x * t * 2f64.powi(-54));
            let losses: Vec<DoubleDouble> = terms.iter().map(|(_, part, t)| wide(scale * part, *t)).collect();
            let masses: Vec<DoubleDouble> = terms.iter().map(|(log, _, t)| wide(10f64.powf(*log), -t)).collect();
            let share = |t: &f64| DoubleDouble::from(if is_cut { 1.0 - t * t } else { 1.0 });
            let shares: Vec<DoubleDouble> = terms.iter().map(|(_, _, t)| share(t)).collect();
            let real = |x: DoubleDouble| WideComplex::real(x);
            let surplus = |loss: DoubleDouble| (rest(real(-loss)) - real(loss)).re;
            let pieces = LawPieces {
                losses: Uncertain::exactly(losses.iter().copied()),
                inside: Uncertain::exactly(masses.iter().zip(&shares).map(|(mass, share)| *mass * *share)),
                outside: Uncertain::exactly(masses.iter().zip(&shares).map(|(mass, share)| *mass * (DoubleDouble::ONE - *share))),
                surpluses: Uncertain::exactly(losses.iter().map(|loss| surplus(*loss))),
            };
            let along = WideExcess::new(&pieces, line).unwrap().along();
            prop_assert_eq!(along.len(), count);
            for n in [0, count / 3, count - 1] {
                let z = WideComplex {
                    re: DoubleDouble::from(tilt),
                    im: DoubleDouble::from_product(line.step, n as f64),
                };
                let (mut truth, mut second, mut first) = (WideComplex::ZERO, 0.0, 0.0);
                for (i, loss) in losses.iter().enumerate() {
                    let term = rest(z.times_real(*loss)) + z * rest(real(-*loss));
                    let lost = WideComplex::ONE - z.times_real(pieces.surpluses.values.at(i));
                    let (inside, outside) = (pieces.inside.values.at(i), pieces.outside.values.at(i));
                    truth = truth + term.times_real(inside) - lost.times_real(outside);
                    let turned = z.modulus() * loss.hi().abs();
                    second += inside.hi() * turned.exp() * turned * (z.modulus() + 1.0) * loss.hi().abs();
                    let is_turned = loss.hi().abs() * height * 1.01 > FARTHEST;
                    first += lost.modulus() * outside.hi() + if is_turned { turned.exp() } else { 0.0 };
                }
                let off = (along[n].value - truth).modulus();
                let of_reference = 1e-29 * (second + first);
                prop_assert!(off <= along[n].error + of_reference, "{n}: {off:e} {:e}", along[n].error);
                // The bound takes all losses of the middle for as far as they turn on the last point.
                let most = 1e-26 * (second * (height * scale).min(FARTHEST).exp() + first * (1.0 + n as f64)) + 1e-200;
                prop_assert!(along[n].error <= most, "{n}: {:e} {most:e}", along[n].error);
            }
        }
    }

    #[test]
    fn what_is_off_is_counted() {
        let number = |x: f64, error: f64| Uncertain {
            errors: vec![error],
            ..Uncertain::exactly([DoubleDouble::from(x)].into_iter())
        };
        let line = WideLine { tilt: 1.0, step: 1.0, count: 2 };
        let error = |loss: Uncertain, inside: Uncertain, outside: Uncertain| {
            let surpluses = number(loss.values.leading()[0], 1e-20);
            let pieces = LawPieces { losses: loss, inside, outside, surpluses };
            WideExcess::new(&pieces, line).map(|excess| excess.along()[1].error)
        };
        // Of losses of 10⁻³ a mass has a millionth, and what is outside has all of it.
        let inside = error(number(1e-3, 0.0), number(0.5, 1e-12), number(0.0, 0.0)).unwrap();
        assert!(inside > 2.4e-18 && inside < 5e-18, "{inside:e}");
        let outside = error(number(1e-3, 0.0), number(0.5, 0.0), number(0.1, 1e-12)).unwrap();
        assert!((1e-12..1.1e-12).contains(&outside), "{outside:e}");
        let moved = error(number(1e-3, 1e-12), number(0.5, 0.0), number(0.0, 0.0)).unwrap();
        assert!(moved > 1.5e-15 && moved < 3e-15, "{moved:e}");
        assert!(error(number(f64::NAN, 0.0), number(0.5, 0.0), number(0.0, 0.0)).is_none());
        assert!(error(number(1e3, 0.0), number(0.5, 0.0), number(0.0, 0.0)).is_none());
    }
}
