//! The two graphs that most figures of the paper consist of.

use crate::{
    Failure,
    asked::{How, deltas, deltas_of, epsilons, repeated},
    panel::{Curve, Panel},
};
use hockeystick::{mechanism::Mechanism, query::Method};
use hockeystick_plot::{Axis, Look};

/// A method, and its name in the paper.
pub(super) type Named = (Method, &'static str);

pub(super) const CLASS: Named = (Method::Clt, "class (Gauss-ADP), estimate");
pub(super) const CERTIFIED: Named = (Method::Auto, "certified");
/// Where the lattice, which would help, takes seconds for each point.
pub(super) const BY_CONTOUR: Named = (Method::Contour, "certified");
pub(super) const BUCKETS: Named = (Method::Buckets, "privacy buckets, upper");
pub(super) const MARKOV: Named = (Method::Markov, "Markov-ADP");
pub(super) const RENYI: Named = (Method::RdpClassic, "Rényi-DP");
pub(super) const BERRY_ESSEEN: Named = (Method::BerryEsseen, "Berry–Esseen, upper");
pub(super) const NAGAEV: Named = (Method::Nagaev, "Nagaev, upper");

/// The same pen for the same method in all figures.
fn styled(curve: Curve, method: Method) -> Curve {
    match method {
        Method::Auto | Method::Contour => curve.look(Look::Dots).pen(6, 0),
        Method::Clt => curve.pen(0, 0),
        Method::Markov => curve.pen(1, 0),
        Method::RdpClassic => curve.pen(4, 1),
        Method::BerryEsseen => curve.pen(2, 3),
        Method::Nagaev => curve.pen(3, 1),
        Method::Buckets => curve.pen(5, 2),
        _ => curve,
    }
}

/// δ over ε by several methods.
pub(super) fn graph(
    mechanism: &Mechanism,
    methods: &[Named],
    grid: &[f64],
    (title, least): (&str, f64),
) -> Result<Panel, Failure> {
    let mut panel = Panel::new(title, Axis::linear("ε"), Axis::logarithmic("δ").between(least, 1.0));
    for &(method, name) in methods {
        // The certified values are dots: fewer will do.
        let few: Vec<f64> = grid
            .iter()
            .copied()
            .step_by(if matches!(method, Method::Auto | Method::Contour) { 3 } else { 1 })
            .collect();
        panel =
            panel.curve(styled(Curve::new(name, deltas(mechanism, How::removing(method), &few)?), method));
    }
    Ok(panel)
}

/// ε at δ ≤ 10⁻⁴ over the number of uses by several methods.
pub(super) fn growth(text: &str, methods: &[Named], counts: &[u64]) -> Result<Panel, Failure> {
    let mechanisms = repeated(text, counts)?;
    let mut panel = Panel::new(
        "(right) ε over compositions",
        Axis::logarithmic("compositions n"),
        Axis::linear("ε at δ ≤ 1e-4").including(0.0),
    );
    for &(method, name) in methods {
        let samples = epsilons(&mechanisms, How::removing(method), 1e-4)?;
        panel = panel.curve(styled(Curve::new(name, samples), method));
    }
    Ok(panel)
}

/// δ(0) over the number of uses by several methods.
pub(super) fn variation(mechanisms: &[(f64, Mechanism)], methods: &[Named]) -> Result<Panel, Failure> {
    let mut panel = Panel::new(
        "(right) δ(0) over compositions",
        Axis::logarithmic("compositions n"),
        Axis::logarithmic("δ(0)"),
    );
    for &(method, name) in methods {
        let samples = deltas_of(mechanisms, How::removing(method), 0.0)?;
        panel = panel.curve(styled(Curve::new(name, samples), method));
    }
    Ok(panel)
}

/// Powers of two.
pub(super) fn powers(from: u32, to: u32) -> Vec<u64> {
    (from..=to).map(|power| 1u64 << power).collect()
}
