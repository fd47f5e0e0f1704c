//! What a drawing of the distribution of the privacy loss shows.

use crate::{Expression, Failure, guarded, numbers::bytes, settings::Settings};
use hockeystick::query::{LossAtom, LossCell};
use pyo3::{Bound, Python, pyfunction, types::PyByteArray};

/// Columns of numbers.
type Columns<'py> = Vec<Bound<'py, PyByteArray>>;

/// What the levels of bins are, or of single losses if there are no bins, the single losses (loss, lower and upper end with the record, without it), the bins (from, to, and the
/// same four), and what lies beyond: with the record above, without it below.
type Shape<'py> = (String, Columns<'py>, Columns<'py>, (f64, f64));

/// The distribution of the loss as it can be drawn without saying more than is known.
#[pyfunction]
pub(crate) fn loss_shape<'py>(
    py: Python<'py>,
    expression: &Expression,
    count: usize,
    relation: &str,
) -> Result<Shape<'py>, Failure> {
    let settings = Settings::read(relation, "auto", None)?;
    let shape = guarded(py, || Ok(settings.query(&expression.0).curves()?.loss_shape(count)))?;
    let level = |bin: &LossCell| shape.heights(bin);
    let of_atoms = |pick: fn(&LossAtom) -> f64| bytes(py, shape.atoms.iter().map(pick));
    let of_bins = |pick: &dyn Fn(&LossCell) -> f64| bytes(py, shape.bins.iter().map(pick));
    let singles = vec![
        of_atoms(|atom| atom.loss.midpoint()),
        of_atoms(|atom| atom.with.lower()),
        of_atoms(|atom| atom.with.upper()),
        of_atoms(|atom| atom.without.lower()),
        of_atoms(|atom| atom.without.upper()),
    ];
    let levels_of_bins = vec![
        of_bins(&|bin| bin.from),
        of_bins(&|bin| bin.to),
        of_bins(&|bin| level(bin).0.lower()),
        of_bins(&|bin| level(bin).0.upper()),
        of_bins(&|bin| level(bin).1.lower()),
        of_bins(&|bin| level(bin).1.upper()),
    ];
    let beyond = (shape.larger.upper(), shape.smaller.upper());
    Ok((shape.measure(), singles, levels_of_bins, beyond))
}
