//! Moments of sampled laws against references of 30 digits, at real and complex arguments and in both directions.
//!
//! References: mpmath 1.4.1 with 50 digits, from the definition at the exact doubles. Gaussian: the trapezoidal rule with two
//! steps; Laplace and third moments: Gauss–Legendre rules with two partitions. The two agreed to 33 digits.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use crate::ratio_law_support::{disc_holds, gaussian, holds, laplace, sampled};
use hockeystick::pair::RatioLaw;
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;
use num_complex::Complex;

/// `(noise, rate, swapped, Re z, Im z, Re M, Im M)`.
type Row = (f64, f64, bool, f64, f64, &'static str, &'static str);

fn check(rows: &[Row], base: impl Fn(f64) -> RatioLaw) -> f64 {
    let mut worst = 0.0f64;
    for &(noise, rate, swapped, re, im, m_re, m_im) in rows {
        let law = RatioLaw { swapped, ..sampled(base(noise), rate) };
        let disc = law.mgf(Complex::new(re, im)).unwrap();
        let height = law.mgf(Complex::new(re, 0.0)).unwrap().center().re;
        let row = format!("noise {noise}, rate {rate}, swapped {swapped}, z = {re} + {im}i");
        assert!(disc_holds(disc, m_re, m_im), "{row}: {disc:?} misses {m_re} + {m_im}i");
        assert!(disc.radius() <= 1e-11 * height, "{row}: radius {:e} of {height:e}", disc.radius());
        worst = worst.max(disc.radius() / height);
    }
    worst
}

#[test]
fn sampled_gaussian() {
    println!("widest radius relative to M(Re z): {:.1e}", check(&GAUSSIAN, gaussian));
}

#[test]
fn sampled_laplace() {
    println!("widest radius relative to M(Re z): {:.1e}", check(&LAPLACE, laplace));
}

/// A law whose coefficients, weights and ends are rounded as badly as they may be still has the reference in its disc.
#[test]
fn rounded_laws_are_covered() {
    let by = |x: f64, units: f64| x * (1.0 + units * UNIT_ROUNDOFF);
    for (rows, base) in [(&GAUSSIAN[..], gaussian as fn(f64) -> RatioLaw), (&LAPLACE[..], laplace)] {
        for (&(noise, rate, swapped, re, im, m_re, m_im), turn) in rows.iter().zip(0u32..) {
            let mut law = RatioLaw { swapped, ..sampled(base(noise), rate) };
            // Half a unit was spent on rounding once.
            let sign = |bit: u32| if turn >> bit & 1 == 0 { 3.5 } else { -3.5 };
            for panel in &mut law.panels {
                panel.to = by(panel.to, sign(1) / 7.0);
                panel.log_q.constant = by(panel.log_q.constant, sign(2));
                panel.log_q.square = by(panel.log_q.square, sign(0));
                for (weight, exponent) in &mut panel.ratio {
                    *weight = by(*weight, if *weight < 0.5 { sign(1) } else { 0.0 });
                    exponent.constant = by(exponent.constant, sign(0));
                    exponent.linear = by(exponent.linear, sign(2));
                }
            }
            let disc = law.mgf(Complex::new(re, im)).unwrap();
            assert!(disc_holds(disc, m_re, m_im), "{law:?} at {re} + {im}i: {disc:?}");
        }
    }
}

#[test]
fn sampled_gaussian_moments() {
    for (sigma, rate, swapped, mean, variance, third) in MOMENTS {
        let law = RatioLaw { swapped, ..sampled(gaussian(sigma), rate) };
        let moments = law.moments().unwrap();
        let truths = [mean, variance, third];
        for (found, truth) in [moments.mean, moments.variance, moments.third_absolute].into_iter().zip(truths)
        {
            assert!(
                holds(found, truth),
                "σ = {sigma}, γ = {rate}, swapped {swapped}: {found:?} misses {truth}"
            );
            assert!(found.width() <= 1e-9 * found.upper(), "σ = {sigma}, γ = {rate}: {found:?}");
        }
    }
}

#[rustfmt::skip]
const GAUSSIAN: [Row; 24] = [
    (0.05, 0.01, false, -0.5, 0.0, "9.94987437106619954629879746724e-1", "0"),
    (0.05, 0.01, true, -0.5, 0.0, "9.94987437106619954629879746724e-1", "0"),
    (0.3, 0.01, false, 2.0, 0.0, "2.9955926778630166428438750199e+8", "0"),
    (0.3, 0.01, true, 2.0, 0.0, "1.01312599183113252616834395067", "0"),
    (0.3, 0.01, false, 2.0, 7.0, "9.64003038461680790702011690415e-1", "-4.82346182681703187249564648554e-2"),
    (0.3, 0.01, true, 2.0, 7.0, "1.00631814408754744200518609873", "5.62215697421007923629858737412e-2"),
    (0.8, 0.001, false, 30.0, 0.0, "3.48405103360605842779767086544e+222", "0"),
    (0.8, 0.001, true, 30.0, 0.0, "1.00145389219989228622952374927", "0"),
    (0.8, 0.001, false, -10.0, 3.0, "1.00014306008333550712346644241", "-9.67772739398330989514588168527e-5"),
    (0.8, 0.001, true, -10.0, 3.0, "1.00091985771611267557542435687", "2.81179124685534768565293361308e-3"),
    (1.0, 0.5, false, 0.25, 40.0, "8.12042660044357729687061906444e-4", "3.70408496225115847240859045636e-3"),
    (1.0, 0.5, true, 0.25, 40.0, "3.11616964345627899879874293153e-3", "-9.83166999447506073303785909992e-3"),
    (1.0, 1e-06, false, 5.0, 1000.0, "9.99999140864047420786989976317e-1", "7.12885571059580136763243668212e-9"),
    (1.0, 1e-06, true, 5.0, 1000.0, "9.99999140940654377477032196998e-1", "1.17715514173158343192663799421e-8"),
    (2.0, 0.02, false, 16.5, -3.5, "1.01732044720367506035495076032", "-8.07515770201571307172239019788e-3"),
    (2.0, 0.02, true, 16.5, -3.5, "1.0143691971531174938243054183", "-5.93455013162181357197844303983e-3"),
    (2.0, 0.999, false, -10.0, 0.5, "2.64470581307281401976594734053e+4", "-6.22539961948924118481004236055e+4"),
    (2.0, 0.999, true, -10.0, 0.5, "2.76582775823571098625806652562e+4", "-6.84756933653768920320225323117e+4"),
    (50.0, 0.1, false, 30.0, 1000.0, "1.34942766574088071799871429592e-1", "6.74790277723837771480122084629e-3"),
    (50.0, 0.1, true, 30.0, 1000.0, "1.34347533731911446287392724477e-1", "2.62915108913378193620432620767e-2"),
    (10000.0, 0.0001, false, 8.0, 100.0, "9.9999999999950359999750614596e-1", "8.50000003759177151570903500779e-14"),
    (10000.0, 0.0001, true, 8.0, 100.0, "9.99999999999503599997531582217e-1", "8.50000004737429329608911094159e-14"),
    (0.5, 0.3, false, 1.0, 100.0, "-9.73100223391662853469926895996e-2", "4.21314405660648750209121439006e-3"),
    (0.5, 0.3, true, 1.0, 100.0, "-2.81217805567410158164852494724e-1", "-1.7753391973861259781908326533e-2"),
];

#[rustfmt::skip]
const LAPLACE: [Row; 12] = [
    (0.1, 0.01, false, 3.0, 2.0, "-1.51069433523459799844194070031e+4", "-5.8463400027116458688749283222e+4"),
    (0.1, 0.01, true, 3.0, 2.0, "1.02932368647527535912839486522", "2.03413380584487736449077624512e-2"),
    (0.5, 0.3, false, -7.5, 0.0, "4.96644825943126926476281801266", "0"),
    (0.5, 0.3, true, -7.5, 0.0, "2.29001291558510816075297196163e+2", "0"),
    (1.0, 1e-06, false, 30.0, 1000.0, "9.99999571735678458494457324008e-1", "2.60011185767969582417096710821e-8"),
    (1.0, 1e-06, true, 30.0, 1000.0, "9.99999571762554272917900713005e-1", "2.62941145464059863744338651911e-8"),
    (1.0, 0.5, false, 0.5, 300.0, "-1.79043498118377492810849690686e-1", "-5.0724057502174312260590250381e-1"),
    (1.0, 0.5, true, 0.5, 300.0, "2.88478509817385777773052164959e-1", "5.43701819018785465748970727013e-1"),
    (3.0, 0.05, false, 10.0, -25.0, "9.30796087144677383860266993295e-1", "-6.31023664841790164148836280402e-2"),
    (3.0, 0.05, true, 10.0, -25.0, "9.38761465454358369691824420097e-1", "-6.64091222975703158071362854874e-2"),
    (10000.0, 0.2, false, 2.0, 1000.0, "9.99800014531564621587397335291e-1", "9.99793349871815418350779814464e-7"),
    (10000.0, 0.2, true, 2.0, 1000.0, "9.99800014533164447732042520766e-1", "1.00000666219341368010738099806e-6"),
];

/// `(σ, rate, swapped, mean, variance, third absolute central moment)`.
#[rustfmt::skip]
const MOMENTS: [(f64, f64, bool, &str, &str, &str); 10] = [
    (0.1, 0.25, false, "1.19376655990404510335087859364e+1", "4.73377304788666173790523112475e+2", "1.64546275238633673098882117256e+4"),
    (0.1, 0.25, true, "2.87681586034525365483126853789e-1", "1.16733324607160747447735444997e-6", "5.61972672283346631941812518061e-6"),
    (0.5, 0.01, false, "1.34936878370619121804405881187e-3", "3.86090709041553199187313863444e-3", "5.42384819243970685012166593652e-3"),
    (0.5, 0.01, true, "9.72289042933275500865531510156e-4", "1.44873277456462105063969852243e-3", "9.96071435227287728288564774593e-4"),
    (1.0, 0.5, false, "1.38578517815263820282763187782e-1", "3.42992375126680059904649554588e-1", "3.67295491430790448957152729488e-1"),
    (1.0, 0.5, true, "1.11421482184736179717236812218e-1", "1.78465242309929903623254634876e-1", "1.51080696340106880495262583848e-1"),
    (1.0, 0.0001, false, "8.58909015370011476508566587864e-9", "1.71828154241180181508903677161e-8", "1.42854806485040896434840096881e-11"),
    (1.0, 0.0001, true, "8.58677394852376951182656248427e-9", "1.71689181898345580239574936547e-8", "1.42527881304884006830529931788e-11"),
    (20.0, 0.1, false, "1.25126610987195724504685799418e-5", "2.50309611326593454805472424374e-5", "2.00477211201720388844144416687e-7"),
    (20.0, 0.1, true, "1.25098424546190607244598358025e-5", "2.50140492675018874875656150877e-5", "2.00273857215751565625170918303e-7"),
];
