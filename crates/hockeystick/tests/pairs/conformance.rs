//! One suite over every mechanism × direction × sampler: enclosures hold the references, and the laws of pairs hold.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    mechanism::{Mechanism, catalogue},
    pair::{Direction, SharedPair, dominating_pair},
};
use hockeystick_golden::{Decimal, Row, files, rows};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use num_complex::Complex;

/// The references of a mechanism. The language refuses some limits that the references include.
fn references(file: &str) -> Vec<Row> {
    let never_releases = |row: &Row| {
        row.text("expression").contains("stability") && row.text("expression").contains("delta=0.0)")
    };
    rows(&format!("pair/{file}")).into_iter().filter(|row| !never_releases(row)).collect()
}

fn pair_of(row: &Row) -> SharedPair {
    let mechanism: Mechanism =
        row.text("expression").parse().unwrap_or_else(|error| panic!("{row:?}: {error}"));
    let direction = match row.text("direction") {
        "remove" => Direction::Remove,
        "add" => Direction::Add,
        "replace" => Direction::Replace,
        other => panic!("no direction {other}"),
    };
    dominating_pair(&mechanism, direction).unwrap_or_else(|error| panic!("{mechanism}: {error}"))
}

/// How wide enclosures are, relative to the truth.
#[derive(Default)]
struct Widths {
    all: Vec<f64>,
}

impl Widths {
    fn check(&mut self, row: &Row, column: &str, enclosure: Enclosure) {
        let truth = row.reference(column);
        assert!(
            truth.is_at_least(enclosure.lower()) && truth.is_at_most(enclosure.upper()),
            "{} {} at ε = {}: {column} is {}, not in [{:e}, {:e}]",
            row.text("expression"),
            row.text("direction"),
            row.text("epsilon"),
            row.text(column),
            enclosure.lower(),
            enclosure.upper()
        );
        if !truth.is_zero() {
            self.all.push(Decimal::exactly(enclosure.width()).ratio(&truth));
        }
    }

    fn at(&mut self, quantile: f64) -> f64 {
        self.all.sort_by(f64::total_cmp);
        self.all.get(((self.all.len() - 1) as f64 * quantile) as usize).copied().unwrap_or(0.0)
    }
}

/// A new mechanism gets references, unless its pair is that of another, comes from a file, is known by its curve (which has references of its own), or does not
/// exist.
#[test]
fn every_mechanism_has_references() {
    const ELSEWHERE: [&str; 12] = [
        "allocation",
        "shuffle",
        "tree",
        "report_noisy_max",
        "permute_and_flip",
        "sparse_vector",
        "pair",
        "profile",
        "renyi",
        "zcdp",
        "poisson",
        "subset",
    ];
    let files = files("pair");
    for entry in catalogue() {
        let has_file = files.iter().any(|file| file == entry.name);
        assert!(
            has_file != ELSEWHERE.contains(&entry.name),
            "{}: testdata/pair or the list of exceptions",
            entry.name
        );
    }
}

#[test]
fn enclosures_hold_the_references() {
    for file in &files("pair") {
        let mut widths = Widths::default();
        let references = references(file);
        for row in &references {
            let pair = pair_of(row);
            let epsilon = Ball::from(row.number::<f64>("epsilon"));
            let delta = pair.delta(epsilon);
            widths.check(row, "delta", delta.value());
            check_complement(row, delta.complement());
            let mut others = Widths::default();
            let tails = pair.tails(epsilon);
            others.check(row, "p_tail", tails.p.value());
            others.check(row, "q_tail", tails.q.value());
            others.check(row, "p_infinite", pair.infinite_mass().value());
            others.check(row, "q_only", pair.vanishing_mass().value());
        }
        println!(
            "{file}: {} rows, relative width of δ: median {:.1e}, 90 % below {:.1e}, widest {:.1e}",
            references.len(),
            widths.at(0.5),
            widths.at(0.9),
            widths.at(1.0)
        );
        // A value and a complement that contradict each other are a hull: it holds both, and says nothing.
        assert!(widths.at(1.0) <= WIDEST, "{file}: δ is known to {:e} only", widths.at(1.0));
    }
}

/// How wide an enclosure may be, relative to what it encloses.
const WIDEST: f64 = 2e-9;

/// `1 − δ` is enclosed, too.
fn check_complement(row: &Row, complement: Enclosure) {
    let truth = Decimal::exactly(1.0).minus(&row.reference("delta"));
    let what = format!("{} {} at ε = {}", row.text("expression"), row.text("direction"), row.text("epsilon"));
    // The reference has 50 digits of δ, not of what it lacks.
    let size = truth.ratio(&Decimal::exactly(1.0));
    if size < 1e-20 {
        return;
    }
    let off = |end: f64| truth.minus(&Decimal::exactly(end)).ratio(&truth);
    let encloses = truth.is_at_least(complement.lower()) && truth.is_at_most(complement.upper());
    assert!(
        encloses || off(complement.lower()).min(off(complement.upper())) < 1e-25,
        "{what}: 1 − δ is not in {complement:?}"
    );
}

/// `M(z)` and the central moments, where the references have them.
#[test]
fn moments_hold_the_references() {
    for file in &files("pair") {
        let [mut radii, mut widths, mut means] = std::array::from_fn(|_| Widths::default());
        let mut unknown = Vec::new();
        for row in references(file) {
            let pair = pair_of(&row);
            let name = format!("{} {}", row.text("expression"), row.text("direction"));
            if !row.text("m_re").is_empty() {
                let z = Complex::new(row.number("z_re"), row.number("z_im"));
                let disc = pair.mgf(z).unwrap_or_else(|| panic!("{name}: no M at {z}"));
                let part =
                    |column: &str, computed: f64| row.reference(column).minus(&Decimal::exactly(computed));
                let one = Decimal::exactly(1.0);
                let off = part("m_re", disc.center().re)
                    .ratio(&one)
                    .hypot(part("m_im", disc.center().im).ratio(&one));
                assert!(
                    off <= disc.radius() * (1.0 + 1e-9),
                    "{name}: M({z}) is off by {off:e}, radius {:e}",
                    disc.radius()
                );
                radii.all.push(disc.radius() / disc.center().norm());
            }
            if !row.text("mean").is_empty() {
                match pair.moments() {
                    Some(moments) => {
                        widths.check(&row, "variance", moments.variance);
                        widths.check(&row, "third", moments.third_absolute);
                        means.check(&row, "mean", moments.mean);
                    }
                    None => unknown.push(name.clone()),
                }
            }
            let finite = pair.mgf(Complex::ZERO).expect("M(0) always exists");
            assert!(finite.real().overlaps(pair.infinite_mass().complement()), "{name}: M(0)");
            let shared = pair.mgf(Complex::new(-1.0, 0.0)).expect("M(−1) always exists");
            assert!(shared.real().overlaps(pair.vanishing_mass().complement()), "{name}: M(−1)");
        }
        // The mean of a rare sample is far below its standard deviation, and has its digits all the same.
        assert!(means.at(0.9) <= 1e-9, "{file}: means are known to {:e} only", means.at(0.9));
        assert!(unknown.is_empty(), "{file}: no moments of {unknown:?}");
        println!(
            "{file}: {} values of M, relative radius median {:.1e}, widest {:.1e}; moments median {:.1e}, widest {:.1e}; \
             means median {:.1e}, widest {:.1e}",
            radii.all.len(),
            radii.at(0.5),
            radii.at(1.0),
            widths.at(0.5),
            widths.at(1.0),
            means.at(0.5),
            means.at(1.0)
        );
    }
}

/// `H_α` at `α = e^ε`.
fn hockey_stick(pair: &SharedPair, epsilon: f64) -> Enclosure {
    pair.delta(Ball::from(epsilon)).value()
}

/// Losses of the size that matters for this row: around its ε, around 0, and far out.
fn probes(row: &Row) -> Vec<f64> {
    let epsilon: f64 = row.number("epsilon");
    let scale = epsilon.abs().max(1e-3);
    let mut probes =
        vec![-40.0, -scale, -0.5 * scale, 0.0, 0.25 * scale, 0.5 * scale, scale, 1.5 * scale, 3.0 * scale];
    probes.push(epsilon);
    probes.sort_by(f64::total_cmp);
    probes.dedup();
    probes
}

fn for_each_pair(mut check: impl FnMut(&Row, &SharedPair)) {
    for file in &files("pair") {
        for row in references(file) {
            check(&row, &pair_of(&row));
        }
    }
}

fn alpha(epsilon: f64) -> Enclosure {
    Enclosure::point(epsilon).exp()
}

/// [Zhu22, Lemma 9]: convex and decreasing in α, 1 at 0, at least (1 − α)₊, and never below its limit.
#[test]
fn curves_are_hockey_stick_curves() {
    for_each_pair(|row, pair| {
        let name = row.text("expression");
        let probes = probes(row);
        let values: Vec<Enclosure> = probes.iter().map(|&epsilon| hockey_stick(pair, epsilon)).collect();
        for (&epsilon, value) in probes.iter().zip(&values) {
            let floor = (-Enclosure::point(epsilon).exp_m1()).clamp(0.0, 1.0);
            assert!(value.upper() >= floor.lower(), "{name} at {epsilon}: below 1 − α");
            assert!(
                value.upper() >= pair.infinite_mass().value().lower(),
                "{name} at {epsilon}: below its limit"
            );
        }
        assert!(hockey_stick(pair, -800.0).upper() >= 1.0, "{name}: H_0 is not 1");
        for (i, pairwise) in values.windows(2).enumerate() {
            assert!(pairwise[0].upper() >= pairwise[1].lower(), "{name}: rises after {}", probes[i]);
        }
        for i in 1..probes.len() - 1 {
            // H(b) ≤ ((c − b)H(a) + (b − a)H(c))/(c − a), with b − a = e^b − e^a and so on.
            let gap = |x: f64, y: f64| alpha(x) * Enclosure::point(y - x).exp_m1();
            let (left, right) = (gap(probes[i - 1], probes[i]), gap(probes[i], probes[i + 1]));
            let chord = (right * values[i - 1] + left * values[i + 1]) / (left + right);
            // y − x is rounded: a relative 10⁻¹⁵ of the chord.
            assert!(
                values[i].lower() <= chord.upper() * (1.0 + 1e-14) + 1e-300,
                "{name}: not convex at {}",
                probes[i]
            );
        }
    });
}

/// `H_α(Q‖P) = αH_{1/α}(P‖Q) − α + 1`, that is `1 − δ*(ε) = e^ε(1 − δ(−ε))` ([Zhu22, Lemma 46]).
#[test]
fn swapping_the_pair_swaps_the_curve() {
    for_each_pair(|row, pair| {
        let dual = pair.dual();
        for epsilon in probes(row) {
            let (swapped, straight) = (dual.delta(Ball::from(epsilon)), pair.delta(Ball::from(-epsilon)));
            let (complement, mirrored) = (swapped.complement(), alpha(epsilon) * straight.complement());
            assert!(
                complement.overlaps(mirrored),
                "{} at {epsilon}: {complement:?} {mirrored:?}",
                row.text("expression")
            );
            // Values have digits of their own, and nothing else compares them where the curve is next to 1 − α.
            let (value, mirrored) =
                (swapped.value(), alpha(epsilon) * straight.value() - Enclosure::point(epsilon).exp_m1());
            assert!(
                value.overlaps(mirrored),
                "{} at {epsilon}: {value:?} {mirrored:?}",
                row.text("expression")
            );
        }
        assert!(dual.infinite_mass().value().overlaps(pair.vanishing_mass().value()));
        assert!(dual.vanishing_mass().value().overlaps(pair.infinite_mass().value()));
        if pair.is_self_dual() {
            let epsilon: f64 = row.number("epsilon");
            assert!(hockey_stick(pair, epsilon).overlaps(hockey_stick(&dual, epsilon)));
        }
    });
}

/// `δ(ε) = P(L > ε) − e^ε Q(L > ε)`, and both tails fall.
#[test]
fn tails_make_up_the_curve() {
    for_each_pair(|row, pair| {
        let name = row.text("expression");
        let mut last: Option<(f64, Enclosure, Enclosure)> = None;
        for epsilon in probes(row) {
            let tails = pair.tails(Ball::from(epsilon));
            let (p, q) = (tails.p.value(), tails.q.value());
            let difference = p - alpha(epsilon) * q;
            assert!(hockey_stick(pair, epsilon).overlaps(difference), "{name} at {epsilon}");
            if let Some((before, p_before, q_before)) = last {
                assert!(
                    p.lower() <= p_before.upper() && q.lower() <= q_before.upper(),
                    "{name}: rises after {before}"
                );
            }
            last = Some((epsilon, p, q));
        }
    });
}

/// From the largest finite loss on only the mass at infinity is left, from the smallest down everything.
#[test]
fn losses_stay_in_their_range() {
    for_each_pair(|row, pair| {
        let name = row.text("expression");
        let (lowest, highest) = pair.finite_losses().into_inner();
        if highest.upper().is_finite() && pair.infinite_mass().value().upper() < 1.0 {
            let beyond = pair.tails(Ball::from(highest.upper().next_up()));
            assert!(beyond.q.value().lower() == 0.0, "{name}");
            assert!(beyond.p.value().overlaps(pair.infinite_mass().value()), "{name}");
        }
        if lowest.lower().is_finite() && pair.infinite_mass().value().upper() < 1.0 {
            let below = pair.tails(Ball::from(lowest.lower().next_down()));
            assert!(below.p.value().upper() == 1.0, "{name}");
            assert!(below.q.value().overlaps(pair.vanishing_mass().complement()), "{name}");
        }
    });
}
