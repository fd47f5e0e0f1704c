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

/// Exponents beyond this are not looked at.
const LARGEST_EXPONENT: f64 = 700.0;
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
        let is_middle = |i: &usize| losses.values.leading()[*i].abs() * height * (1.0 + 1e-9) <= FARTHEST;
        let (middle, turned): (Vec<usize>, Vec<usize>) = (0..all).filter(is_inside).partition(is_middle);
        let some = |array: &WideArray, numbers: &[usize]| {
            let mut some = WideArray::default();
            numbers.iter().for_each(|i| some.push(array.at(*i)));
            some
        };
        let is_moderate = |i: usize| (losses.values.leading()[i] * line.tilt).abs() < LARGEST_EXPONENT;
        if !(0..all).filter(is_inside).all(is_moderate) {
            return None;
        }
        let mut excess = Self {
            line,
            middle: Groups::default(),
            turned: None,
            constant: DoubleDouble::ZERO,
            slope: DoubleDouble::ZERO,
            constant_error: wide_sums::ALL_TINY,
            slope_error: 0.0,
            middle_error: 0.0,
        };
        excess.add_middle(pieces, &middle, some);
        excess.add_turned(pieces, &turned, some)?;
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
            + LEFT
            + WideComplex::PRODUCT_ERROR
            + 4.0 * U;
        for (n, i) in numbers.iter().enumerate() {
            let (loss, mass) = (losses.leading()[n].abs(), masses.leading()[n] * (1.0 + 1e-12));
            let (loss_error, mass_error) = (pieces.losses.errors[*i], pieces.inside.errors[*i]);
            let exponent = (tilt * losses.leading()[n]).max(-losses.leading()[n]).max(0.0) + 1e-9;
            let most = exponent.exp() * (height * loss).exp();
            let of_each = of_all + 4.0 * U * ((tilt * loss).abs() + 1.0);
            let of_terms = loss * loss * (mass * of_each + mass_error);
            self.middle_error += 1.02 * most * (of_terms + (loss + loss_error) * loss_error * (mass + mass_error));
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
        let surpluses = some(&pieces.surpluses.values, numbers);
        self.add_law(masses, &mass_errors, surpluses, &errors(&pieces.surpluses));
        Some(())
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
            let of_product = surplus * (mass_errors[n] + of_sum * mass) + surplus_errors[n] * (mass + mass_errors[n]);
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
            let z = WideComplex {
                re: DoubleDouble::from(tilt),
                im: DoubleDouble::from_product(step, n as f64),
            };
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
