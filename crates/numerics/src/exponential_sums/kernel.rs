//! The kernel that spreads a node over sixteen cells, and the inverse of its transform.
//!
//! With `x = y/8` and [`BETA`] = β = 39,
//!
//! ```text
//! φ(y) = c √(1 − x²) I₁(β√(1 − x²)) for |y| ≤ 8, and 0 beyond,
//! Φ(ν) = ∫ φ(y) e^{−2πiνy} dy = 16cβ (cosh s − sinh(s)/s)/s²,   s = √(β² − ξ²),  ξ = 16πν
//! ```
//!
//! (Sonine's second integral, Watson, *Bessel functions*, 12.13). The more usual Kaiser–Bessel kernel has I₀ instead and jumps at its ends;
//! this one is continuous, so that `Φ` is summable and Poisson's formula holds. c makes `Φ(0) = 1`. Beyond ξ = β, with `r = √(ξ² − β²)`, `|Φ| = 16cβ |cos r − sin(r)/r|/r² ≤ 16cβ (1 + 1/r)/r²`, which falls and is convex.
//!
//! `√u I₁(β√u)` is an entire function of u, so that polynomials approximate φ within a cell as well as one likes.
//! `testdata/generate/exponential_sums.py kernel` prints their coefficients and proves the constants below in ball arithmetic.

use crate::special::exp;
use std::f64::consts::PI;

/// Cells that a node is spread over.
pub(super) const WIDTH: usize = 16;
const HALF: usize = WIDTH / 2;
const BETA: f64 = 39.0;

/// Cells of the grid per frequency at least: frequencies are read up to ν = 1/5.
pub(super) const OVERSAMPLING: usize = 5;

/// A bound of `Σ_{m≠0} |Φ(ν + m)|` for `|ν| ≤ 1/5`: the terms ±1 as above, the others by `Σ_{m≥2} (m ± ν)⁻² ≤ 1/(3/2 ± ν)`. It is
/// largest at the end, since the bound of `|Φ|` is convex.
pub(super) const ALIASES: f64 = 4.55e-16;

/// How far the values of the polynomials are off φ, added up over the cells of a node, for `|t| ≤ ½ + 2⁻¹⁰`; rounded
/// coefficients (2.81·10⁻¹⁶ in all) and ends (6·10⁻¹⁹) included.
pub(super) const APPROXIMATION: f64 = 2.82e-16;

/// What rounding does to them, added up over the cells, in units of u times the weight.
///
/// The coefficient of `t^{2k}` passes through k products with `t²` (rounded, too), k + 1 sums, a product with the weight and a last sum:
/// 3k + 3 roundings. That of `t^{2k+1}` passes through 3k + 4.
pub(super) const EVALUATION_UNITS: f64 = 4.92;

/// Relative error of [`inverse_transform`] in units of u: 9.8 of the exponential, whose argument is at most 1.32 and has 6.6 itself; 2.3 of
/// `s²/β²`; 3.2 of the last quotient; 2 products. (Without the terms with `e^{−s}`: they are below 10⁻³².)
pub(super) const INVERSE_UNITS: f64 = 18.0;

type Coefficients = [[f64; HALF]; 7];

/// Aligned for loads of more than one number.
#[repr(align(64))]
struct Aligned(Coefficients);

/// The even part of `φ(a + t)`, highest power first, for `a = 15/2, 13/2, …, 1/2`.
static EVEN: Aligned = Aligned([
    [
        1.5225077253746042e-10,
        -1.0195452672080449e-09,
        8.972318496263425e-10,
        1.2212971218980854e-08,
        -5.738477271453743e-08,
        1.243100433180193e-07,
        -1.470967016170013e-07,
        6.792756491631023e-08,
    ],
    [
        1.2819144161227338e-09,
        1.604432010167917e-08,
        -1.2326653253401238e-07,
        1.759717243645979e-07,
        6.028195495450317e-07,
        -2.6239292820846526e-06,
        3.971333817473406e-06,
        -2.0202553194235446e-06,
    ],
    [
        3.5908779085059674e-09,
        2.622579411958961e-07,
        8.546127295078975e-07,
        -7.684730761784378e-06,
        7.080282590537908e-06,
        3.114762806232938e-05,
        -7.750441918412308e-05,
        4.5840777886734303e-05,
    ],
    [
        3.791851335078098e-09,
        1.0216953805728703e-06,
        2.1473395730987844e-05,
        4.068528011084379e-05,
        -0.0002782263346209808,
        -4.271284277085085e-05,
        0.0010469810220469734,
        -0.0007892260077835339,
    ],
    [
        1.4038400048510482e-09,
        1.3069730343123438e-06,
        7.567620321418425e-05,
        0.0008633031418521562,
        0.0018804101558480368,
        -0.004258596679144064,
        -0.008302331105256265,
        0.009740229906619527,
    ],
    [
        1.4144412651658078e-10,
        4.6735680274879107e-07,
        6.326248935389258e-05,
        0.0017152784142465609,
        0.014534505888091218,
        0.04201526417362807,
        0.01863563221444278,
        -0.07696441067801027,
    ],
    [
        1.6574876649838197e-12,
        2.0727049519868036e-08,
        6.188047072847363e-06,
        0.00033464421405608735,
        0.005886640211111556,
        0.04372726894330537,
        0.1570530999169221,
        0.29299213793882506,
    ],
]);

/// The odd part, divided by t.
static ODD: Aligned = Aligned([
    [
        -2.5706160728276327e-11,
        3.1227340616742985e-10,
        -1.4261087146494767e-09,
        3.133053459769692e-09,
        -1.786969417772842e-09,
        -8.875716021981943e-09,
        2.9169449620287176e-08,
        -4.6792987523558106e-08,
    ],
    [
        -5.193999088281541e-10,
        -2.172268915350599e-10,
        2.4637879638360537e-08,
        -1.1379069154969576e-07,
        2.0799879322740593e-07,
        -4.4678443882639384e-08,
        -5.374088918764958e-07,
        1.1433469345377246e-06,
    ],
    [
        -2.4264662753784296e-09,
        -8.291897761373463e-08,
        1.8296945537694415e-07,
        1.2883944103930653e-06,
        -5.619226153427907e-06,
        6.467553691240534e-06,
        5.501522550797381e-06,
        -2.2001627647882078e-05,
    ],
    [
        -4.173770669570239e-09,
        -5.965129977782736e-07,
        -6.313867021444181e-06,
        1.2682695814380303e-05,
        6.018740320556854e-05,
        -0.00016743379176662571,
        1.6194139339150696e-05,
        0.000330400269100583,
    ],
    [
        -2.657194682373268e-09,
        -1.3313411689351363e-06,
        -4.803814265802747e-05,
        -0.00029465994167788477,
        0.00021903977062095217,
        0.0020314522110372797,
        -0.0016203976905326588,
        -0.003631640040256729,
    ],
    [
        -5.389747310022784e-10,
        -9.393074941473437e-07,
        -8.408813643492202e-05,
        -0.0015319092561461923,
        -0.007804441750229821,
        -0.006359562361606413,
        0.02506100727046518,
        0.025970254136343737,
    ],
    [
        -2.2618803976299605e-11,
        -1.4403430049560303e-07,
        -2.9077784035656663e-05,
        -0.001127517322849879,
        -0.014165684706372599,
        -0.07109410012238265,
        -0.1480942310858921,
        -0.09061762887056939,
    ],
]);

/// `weight · φ` at the sixteen cells around a node that is `offset` above the middle between the eighth and the ninth.
///
/// # Guarantee
/// For `|offset| ≤ ½ + 2⁻¹⁰` the errors of the cells add up to at most `weight` times [`APPROXIMATION`] + u·[`EVALUATION_UNITS`] (and twenty
/// roundings at the lower end of doubles in each).
#[inline]
pub(super) fn weighted(offset: f64, weight: f64) -> [f64; WIDTH] {
    let square = offset * offset;
    let (mut even, mut odd) = (EVEN.0[0], ODD.0[0]);
    for (even_part, odd_part) in EVEN.0[1..].iter().zip(&ODD.0[1..]) {
        for lane in 0..HALF {
            even[lane] = even[lane] * square + even_part[lane];
            odd[lane] = odd[lane] * square + odd_part[lane];
        }
    }
    let tilted = weight * offset;
    let mut cells = [0.0; WIDTH];
    for lane in 0..HALF {
        let (along, across) = (weight * even[lane], tilted * odd[lane]);
        cells[lane] = along + across;
        cells[WIDTH - 1 - lane] = along - across;
    }
    cells
}

/// `1/Φ(n/M)` for `n ≤ M/5`, M a power of two.
///
/// # Guarantee
/// Relative error at most [`INVERSE_UNITS`]·u.
pub(super) fn inverse_transform(n: usize, length: usize) -> f64 {
    let xi = PI * (WIDTH as f64 * n as f64 / length as f64);
    let square = BETA * BETA - xi * xi;
    let s = square.sqrt();
    // β − s = ξ²/(β + s), without cancellation.
    let growth = exp(xi * xi / (BETA + s));
    growth * (square / (BETA * BETA)) * ((1.0 - 1.0 / BETA) / (1.0 - 1.0 / s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_golden::{Decimal, rows};

    fn distance(computed: f64, exact: &Decimal) -> f64 {
        Decimal::exactly(computed).minus(exact).ratio(&Decimal::exactly(1.0))
    }

    /// The whole budget of a node, by references at all its cells.
    #[test]
    fn polynomials_agree_with_bessel_functions() {
        let mut off = [0.0; 40];
        let allowed = APPROXIMATION + EVALUATION_UNITS * crate::rounding::UNIT_ROUNDOFF;
        for row in rows("special/exponential_kernel") {
            let (place, offset, index): (usize, f64, usize) =
                (row.number("place"), row.number("offset"), row.number("cell"));
            off[place] += distance(weighted(offset, 1.0)[index], &row.reference("value"));
        }
        for (place, &off) in off.iter().enumerate() {
            assert!(off > 0.0 && off <= allowed, "at place {place}: {off:e}, allowed {allowed:e}");
        }
    }

    #[test]
    fn transforms_agree_with_references() {
        for row in rows("special/exponential_transform") {
            let (n, length): (usize, usize) = (row.number("n"), row.number("length"));
            let inverse = inverse_transform(n, length);
            let off = distance(inverse, &row.reference("value")) / inverse;
            assert!(off <= INVERSE_UNITS * crate::rounding::UNIT_ROUNDOFF, "{n}/{length}: {off:e}");
        }
    }

    /// `Σ (roundings)·|coefficient|·|t|^power` over the cells.
    #[test]
    fn roundings_are_counted() {
        let reach: f64 = 0.5 + 1.0 / 1024.0;
        let mut units = 0.0;
        for (power, (even, odd)) in EVEN.0.iter().zip(&ODD.0).rev().enumerate() {
            let (passes, size) = (3.0 * power as f64, reach.powi(2 * power as i32));
            for (even, odd) in even.iter().zip(odd) {
                units += 2.0 * size * ((passes + 3.0) * even.abs() + (passes + 4.0) * reach * odd.abs());
            }
        }
        assert!((0.999 * EVALUATION_UNITS..=EVALUATION_UNITS).contains(&units), "{units}");
    }
}
