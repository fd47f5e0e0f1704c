//! A dominating pair given by its probabilities.

use super::{
    ArgumentError, Arguments, Described, FileName, InvalidParameter, Kind, Parameter, TwoColumns, Value,
    check,
};

/// A pair of distributions P, Q on the same outcomes, given as two columns of probabilities.
///
/// Of a file only the name is held here: it is read when a question is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PairFile {
    columns: TwoColumns,
}

impl PairFile {
    /// The mechanism described by a file, which is read when a question is asked.
    pub fn new(file: impl Into<FileName>) -> Result<Self, InvalidParameter> {
        Ok(Self { columns: TwoColumns::file(check::of::<Self>("file"), file.into())? })
    }

    /// The mechanism whose outcome `i` has probability `p[i]` under P and `q[i]` under Q. Each list must add up to 1 within
    /// 10⁻⁹; what becomes of a small difference is told with every answer.
    pub fn from_probabilities(
        p: impl Into<Vec<f64>>,
        q: impl Into<Vec<f64>>,
    ) -> Result<Self, InvalidParameter> {
        let lists = [(check::of::<Self>("p"), p.into()), (check::of::<Self>("q"), q.into())];
        let columns = TwoColumns::listed(lists)?;
        if let TwoColumns::Listed { first, second } = &columns {
            for (name, list) in [("p", first), ("q", second)] {
                let subject = check::of::<Self>(name);
                list.iter().try_for_each(|&value| subject.zero_to_one(value).map(|_| ()))?;
            }
        }
        Ok(Self { columns })
    }

    /// The two columns.
    pub fn columns(&self) -> &TwoColumns {
        &self.columns
    }
}

impl Described for PairFile {
    const NAME: &'static str = "pair";
    const MEANING: &'static str = "is given by the probabilities of a dominating pair";
    const PAIR: &'static str = "the two columns of the file, or p and q";
    const EXAMPLE: &'static str = r#"pair(file="p_q.csv")"#;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::alternative("file", Kind::Text, "file with two columns of probabilities, P and Q"),
        Parameter::alternative("p", Kind::Numbers, "probabilities of the outcomes under P"),
        Parameter::alternative("q", Kind::Numbers, "probabilities of the outcomes under Q"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let columns = arguments.two_columns("file", "p", "q", "file, or p and q")?;
        Ok(match columns {
            TwoColumns::File(file) => Self::new(file)?,
            TwoColumns::Listed { first, second } => Self::from_probabilities(first, second)?,
        })
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        self.columns.arguments("file", "p", "q")
    }
}
