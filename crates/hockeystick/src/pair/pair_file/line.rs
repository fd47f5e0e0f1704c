//! One line of a file of probabilities.

use super::error::FileProblem;

/// Positive numbers below this are refused: half a unit in their last place is not small relative to them.
const SMALLEST: f64 = 1e-300;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Line {
    /// Nothing: it is blank or a comment.
    Nothing,
    /// The names of the columns.
    Names,
    /// The probabilities of an outcome.
    Outcome {
        /// Under P.
        p: f64,
        /// Under Q.
        q: f64,
        /// Are both written with the same characters?
        alike: bool,
    },
}

/// Reads a line: two numbers with a comma, a semicolon, a tab or blanks between them.
///
/// Where `may_be_header`, a line of which no cell is a number names the columns.
pub(super) fn read(line: &str, may_be_header: bool) -> Result<Line, FileProblem> {
    // Some editors mark the beginning of a file.
    let content = line.split('#').next().unwrap_or_default().trim_start_matches('\u{feff}').trim();
    if content.is_empty() {
        return Ok(Line::Nothing);
    }
    let cells: Vec<&str> = match content.chars().find(|c| matches!(c, ',' | ';' | '\t')) {
        Some(separator) => content.split(separator).map(str::trim).collect(),
        None => content.split_whitespace().collect(),
    };
    if may_be_header && cells.iter().all(|cell| cell.parse::<f64>().is_err()) {
        return Ok(Line::Names);
    }
    let [p, q] = cells[..] else { return Err(FileProblem::Columns { columns: cells.len() }) };
    Ok(Line::Outcome { p: probability(p)?, q: probability(q)?, alike: p == q })
}

fn probability(cell: &str) -> Result<f64, FileProblem> {
    let value: f64 = cell.parse().map_err(|_| FileProblem::NotANumber(cell.to_owned()))?;
    if !(0.0..=1.0).contains(&value) {
        return Err(FileProblem::NotAProbability(cell.to_owned()));
    }
    let digits = cell.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = !digits.contains(|c: char| c.is_ascii_digit() && c != '0');
    if value < SMALLEST && !is_zero {
        return Err(FileProblem::TooSmall(cell.to_owned()));
    }
    // Adding 0 turns −0 into 0.
    Ok(value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(p: f64, q: f64) -> Result<Line, FileProblem> {
        Ok(Line::Outcome { p, q, alike: p == q })
    }

    #[test]
    fn separators_comments_and_headers() {
        for text in ["0.25,0.5", "0.25 ; 0.5", "0.25\t0.5", "  2.5e-1   .5 # both", "0.25, 5E-1\r"] {
            assert_eq!(read(text, false), outcome(0.25, 0.5), "{text:?}");
        }
        for text in ["", "   ", "# 0.1,0.2", "\u{20}# p q"] {
            assert_eq!(read(text, false), Ok(Line::Nothing), "{text:?}");
        }
        assert_eq!(read("\u{feff}P,Q", true), Ok(Line::Names));
        assert_eq!(read("P,Q", false), Err(FileProblem::NotANumber("P".into())));
        assert_eq!(read("0.1,Q", true), Err(FileProblem::NotANumber("Q".into())));
        assert_eq!(
            read("0,-0.0", false),
            outcome(0.0, 0.0).map(|_| Line::Outcome { p: 0.0, q: 0.0, alike: false })
        );
    }

    #[test]
    fn what_is_not_a_pair_of_probabilities() {
        for (text, columns) in [("0.5", 1), ("0.1,0.2,0.3", 3), ("0.1 0.2 0.3", 3), ("0.5,0.5,", 3)] {
            assert_eq!(read(text, false), Err(FileProblem::Columns { columns }), "{text:?}");
        }
        for text in ["-0.1", "nan", "NaN", "inf", "1.0000001", "-inf"] {
            let line = format!("0.5,{text}");
            assert_eq!(read(&line, false), Err(FileProblem::NotAProbability(text.into())), "{text:?}");
        }
        for text in ["1e-400", "0.0001e-320", "1e-301"] {
            let line = format!("{text} 0.5");
            assert_eq!(read(&line, false), Err(FileProblem::TooSmall(text.into())), "{text:?}");
        }
        assert_eq!(read(",0.5", false), Err(FileProblem::NotANumber(String::new())));
    }
}
