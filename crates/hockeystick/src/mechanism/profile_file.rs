//! A privacy profile given by its values.

use super::{
    ArgumentError, Arguments, Described, FileName, InvalidParameter, Kind, Parameter, TwoColumns, Value,
    check,
};

/// Any mechanism known by its privacy profile ε ↦ δ, given as two columns.
///
/// Every such profile is that of a pair of distributions \[Zhu, Dong, Wang 2022, Corollary 26\]. Of a file only the
/// name is held here: it is read when a question is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileFile {
    columns: TwoColumns,
}

impl ProfileFile {
    /// The mechanism described by a file, which is read when a question is asked.
    pub fn new(file: impl Into<FileName>) -> Result<Self, InvalidParameter> {
        Ok(Self { columns: TwoColumns::file(check::of::<Self>("file"), file.into())? })
    }

    /// The mechanism whose δ is at most `deltas[i]` at `epsilons[i]`, for all `i`.
    pub fn from_points(
        epsilons: impl Into<Vec<f64>>,
        deltas: impl Into<Vec<f64>>,
    ) -> Result<Self, InvalidParameter> {
        let lists =
            [(check::of::<Self>("epsilons"), epsilons.into()), (check::of::<Self>("deltas"), deltas.into())];
        Ok(Self { columns: TwoColumns::listed(lists)? })
    }

    /// The two columns.
    pub fn columns(&self) -> &TwoColumns {
        &self.columns
    }
}

impl Described for ProfileFile {
    const NAME: &'static str = "profile";
    const MEANING: &'static str = "is given by its privacy profile";
    const PAIR: &'static str = "built from the profile [Zhu22, Cor. 26]";
    const EXAMPLE: &'static str = r#"profile(file="eps_delta.csv")"#;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::alternative("file", Kind::Text, "file with two columns, ε and δ"),
        Parameter::alternative("epsilons", Kind::Numbers, "values of ε at which δ is known"),
        Parameter::alternative("deltas", Kind::Numbers, "upper bounds of δ there"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let columns = arguments.two_columns("file", "epsilons", "deltas", "file, or epsilons and deltas")?;
        Ok(match columns {
            TwoColumns::File(file) => Self::new(file)?,
            TwoColumns::Listed { first, second } => Self::from_points(first, second)?,
        })
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        self.columns.arguments("file", "epsilons", "deltas")
    }
}
