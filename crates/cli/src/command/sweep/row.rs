//! A point of a sweep and its answer, which can be kept in a file and read again.

use super::table::Cell;
use hockeystick::{
    Answer,
    query::{Guarantee, Method},
};

/// One point of the grid, or one row of the file, and what was answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) values: Vec<Cell>,
    pub(super) method: Method,
    pub(super) answer: Result<Reading, String>,
}

/// What a row shows of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) lower: Option<f64>,
    pub(super) upper: f64,
    pub(super) guarantee: Guarantee,
    /// The method that answered.
    pub(super) method: String,
    /// Why it is not what was asked for, if it is not.
    pub(super) shortfall: Option<String>,
}

impl From<&Answer> for Reading {
    fn from(answer: &Answer) -> Self {
        Self {
            lower: answer.lower(),
            upper: answer.upper(),
            guarantee: answer.guarantee(),
            method: answer.method().name().to_owned(),
            shortfall: answer.shortfall().map(|shortfall| shortfall.to_string()),
        }
    }
}

const GUARANTEES: [Guarantee; 3] = [Guarantee::Certified, Guarantee::UpperBound, Guarantee::Estimate];

/// The answer in one line of text, from which [`read`] gives the same.
pub(super) fn record(answer: &Result<Reading, String>) -> String {
    // The shortest text of a double reads back as the same.
    let number = |x: f64| format!("{x:?}");
    let cells = match answer {
        Ok(reading) => vec![
            reading.lower.map_or(String::new(), number),
            number(reading.upper),
            reading.guarantee.name().to_owned(),
            reading.method.clone(),
            reading.shortfall.clone().unwrap_or_default(),
        ],
        Err(reason) => vec![reason.clone()],
    };
    serde_json::to_string(&cells).unwrap_or_default()
}

/// The answer of a line; nothing if it is none, since its end is missing, say.
pub(super) fn read(line: &str) -> Option<Result<Reading, String>> {
    let cells: Vec<String> = serde_json::from_str(line).ok()?;
    match <[String; 5]>::try_from(cells) {
        Ok([lower, upper, guarantee, method, shortfall]) => {
            let lower = if lower.is_empty() { None } else { Some(lower.parse().ok()?) };
            let guarantee = GUARANTEES.into_iter().find(|known| known.name() == guarantee)?;
            let shortfall = (!shortfall.is_empty()).then_some(shortfall);
            Some(Ok(Reading { lower, upper: upper.parse().ok()?, guarantee, method, shortfall }))
        }
        Err(cells) => match <[String; 1]>::try_from(cells) {
            Ok([reason]) => Some(Err(reason)),
            Err(_) => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were() {
        for (lower, upper) in [(Some(0.1 + 0.2), 1.0 / 3.0), (None, f64::INFINITY), (Some(0.0), 5e-324)] {
            for guarantee in GUARANTEES {
                for shortfall in [None, Some("too wide, it \"is\"".to_owned())] {
                    let answer =
                        Ok(Reading { lower, upper, guarantee, method: "contour".to_owned(), shortfall });
                    assert_eq!(read(&record(&answer)), Some(answer));
                }
            }
        }
        let failed = Err("column 1: \"x\"\nis no, number".to_owned());
        assert!(!record(&failed).contains('\n'));
        assert_eq!(read(&record(&failed)), Some(failed));
        for torn in [
            "",
            "[",
            "[\"0.1\",\"0.2\",\"certi",
            "[\"0.1\",\"0.2\"]",
            "[\"x\",\"1\",\"certified\",\"a\",\"\"]",
        ] {
            assert_eq!(read(torn), None, "{torn}");
        }
    }
}
