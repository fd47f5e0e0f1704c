//! A Rényi curve given by its values.

use super::{
    ArgumentError, Arguments, Described, FileName, InvalidParameter, Kind, Parameter, TwoColumns, Value,
    check,
};

/// Any mechanism known by bounds of its Rényi divergences at some orders, given as two columns.
///
/// Only these moments are known; no pair of distributions dominates the whole class tightly. Of a file only the name is
/// held here: it is read when a question is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct RenyiFile {
    columns: TwoColumns,
}

impl RenyiFile {
    /// The mechanism described by a file, which is read when a question is asked.
    pub fn new(file: impl Into<FileName>) -> Result<Self, InvalidParameter> {
        Ok(Self { columns: TwoColumns::file(check::of::<Self>("file"), file.into())? })
    }

    /// The mechanism whose divergence of order `orders[i]` is at most `divergences[i]`, for all `i`.
    pub fn from_bounds(
        orders: impl Into<Vec<f64>>,
        divergences: impl Into<Vec<f64>>,
    ) -> Result<Self, InvalidParameter> {
        let lists = [
            (check::of::<Self>("orders"), orders.into()),
            (check::of::<Self>("divergences"), divergences.into()),
        ];
        Ok(Self { columns: TwoColumns::listed(lists)? })
    }

    /// The two columns.
    pub fn columns(&self) -> &TwoColumns {
        &self.columns
    }
}

impl Described for RenyiFile {
    const NAME: &'static str = "renyi";
    const MEANING: &'static str = "is given by its Rényi divergences";
    const PAIR: &'static str = "moments only: below the chords between the orders that are given";
    const EXAMPLE: &'static str = r#"renyi(file="order_divergence.csv")"#;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::alternative(
            "file",
            Kind::Text,
            "file with two columns: order α above 1 (or inf), bound of the Rényi divergence in both directions",
        ),
        Parameter::alternative("orders", Kind::Numbers, "orders above 1 at which the divergence is known"),
        Parameter::alternative("divergences", Kind::Numbers, "upper bounds of the divergence there"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let columns =
            arguments.two_columns("file", "orders", "divergences", "file, or orders and divergences")?;
        Ok(match columns {
            TwoColumns::File(file) => Self::new(file)?,
            TwoColumns::Listed { first, second } => Self::from_bounds(first, second)?,
        })
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        self.columns.arguments("file", "orders", "divergences")
    }
}
