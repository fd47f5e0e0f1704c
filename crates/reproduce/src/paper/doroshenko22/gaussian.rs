//! Fig. 5: Gaussians, whose ε is known exactly.

use super::{one_use::PUBLISHED, prv::prv};
use crate::{
    Failure, Figure,
    asked::{How, epsilons, lattice_epsilon, removal, repeated, whole_ratios},
    digits::digits,
    panel::{Curve, Panel, Sample},
};
use hockeystick::engine::{lattice::Discretisation, published::BUCKETS};
use hockeystick_numerics::enclosure::Enclosure;
use hockeystick_plot::{Axis, Look};

const SPACING: f64 = 0.005;
const DELTA: f64 = 1e-5;

pub(super) fn fig5() -> Result<Figure, Failure> {
    let text = "gaussian(sigma=80)";
    let pair = removal(text)?;
    let counts = whole_ratios(2, 400, 18);
    let exact = epsilons(&repeated(text, &counts)?, How::BEST, DELTA)?;
    let on_lattice = |discretisation: Discretisation| -> Result<Vec<(f64, Enclosure)>, Failure> {
        let at =
            |&count: &u64| Ok((count as f64, lattice_epsilon(&pair, count, DELTA, discretisation, SPACING)?));
        counts.iter().map(at).collect()
    };
    let (dots, buckets) = (on_lattice(PUBLISHED)?, on_lattice(BUCKETS)?);
    let prv = prv(text, &counts, SPACING, DELTA)?;
    let end = |curve: &[(f64, Enclosure)]| curve.last().map_or(Enclosure::ZERO, |(_, bounds)| *bounds);
    let shown = |bounds: Enclosure| format!("[{}, {}]", digits(bounds.lower(), 4), digits(bounds.upper(), 4));
    let finding = format!(
        "At k = 400: exact ε = {}, connect the dots {}, privacy buckets {}, PRV style {}.",
        digits(exact.last().map_or(0.0, |sample| sample.y), 5),
        shown(end(&dots)),
        shown(end(&buckets)),
        shown(end(&prv))
    );
    let panel =
        Panel::new("", Axis::linear("compositions k"), Axis::linear("ε at δ = 1e-5").between(0.0, 2.5))
            .curves(pair_of_curves("connect the dots", &dots, 0))
            .curves(pair_of_curves("privacy buckets", &buckets, 1))
            .curves(pair_of_curves("PRV style", &prv, 2))
            .curve(Curve::new("exact", exact).look(Look::Dots).pen(6, 0));
    Ok(Figure::new(1)
        .given("noise scale, δ", "80, 1e-5")
        .given("spacing", "0.005 for all")
        .chosen("k", "2 … 400")
        .chosen("η of the PRV style", "δ/1000")
        .panel(panel)
        .found(finding)
        .says("The estimates of connecting the dots are the tightest."))
}

/// The pessimistic and the optimistic end.
pub(super) fn pair_of_curves(name: &str, values: &[(f64, Enclosure)], colour: usize) -> [Curve; 2] {
    let upper = values.iter().map(|(x, bounds)| Sample::upper(*x, bounds.upper())).collect();
    let lower = values.iter().map(|(x, bounds)| Sample::lower(*x, bounds.lower())).collect();
    [
        Curve::new(format!("{name}, pessimistic"), upper).pen(colour, 0),
        Curve::new(format!("{name}, optimistic"), lower).pen(colour, 1),
    ]
}
