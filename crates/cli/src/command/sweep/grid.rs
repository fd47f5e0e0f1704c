//! The values that a name of a sweep takes.

use crate::command::common::number;
use hockeystick::query::{even_grid, geometric_grid};

/// The most rows of a sweep.
pub(super) const MOST_POINTS: usize = 100_000;

/// A name and its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) name: String,
    pub(super) values: Vec<f64>,
    pub(super) is_logarithmic: bool,
}

/// Reads `sigma=1,2,4` or `sigma=1:10:5`, also with `:whole` or `:log` at the end.
pub(super) fn grid(text: &str) -> Result<Grid, String> {
    const CURE: &str =
        "write for example sigma=1,2,4 or sigma=1:10:5 or sigma=1:100:5:log or k=1:100:9:whole";
    let (name, values) = text.split_once('=').ok_or(CURE)?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return Err(format!("{name:?} is no name; {CURE}"));
    }
    let read = |text: &str| number(text.trim()).map_err(|_| format!("{text:?} is not a number; {CURE}"));
    let parts: Vec<&str> = values.split(':').collect();
    let count = |text: &str| match text.trim().parse::<usize>() {
        Ok(count) if (2..=MOST_POINTS).contains(&count) => Ok(count),
        Ok(_) | Err(_) => Err(format!("{text:?} is not a number of points from 2 to {MOST_POINTS}; {CURE}")),
    };
    let (values, is_logarithmic) = match parts[..] {
        [list] => (list.split(',').map(read).collect::<Result<Vec<_>, _>>()?, false),
        [from, to, points] => (even_grid(read(from)?, read(to)?, count(points)?), false),
        [from, to, points, "whole"] => {
            let mut values: Vec<f64> =
                even_grid(read(from)?, read(to)?, count(points)?).into_iter().map(f64::round).collect();
            values.dedup();
            (values, false)
        }
        [from, to, points, "log"] => {
            let (from, to) = (read(from)?, read(to)?);
            if !(from > 0.0 && to > 0.0) {
                return Err(format!("a grid with equal ratios must be above 0; {CURE}"));
            }
            (geometric_grid(from, to, count(points)?), true)
        }
        _ => return Err(CURE.to_owned()),
    };
    Ok(Grid { name: name.to_owned(), values, is_logarithmic })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_lists_or_ranges() {
        assert_eq!(grid("a=1, 2,4").unwrap().values, [1.0, 2.0, 4.0]);
        assert_eq!(grid("a=1:2:3").unwrap().values, [1.0, 1.5, 2.0]);
        assert_eq!(grid("a=1:10:3:whole").unwrap().values, [1.0, 6.0, 10.0]);
        let log = grid("a=1:100:3:log").unwrap();
        assert!(log.is_logarithmic && (log.values[1] - 10.0).abs() < 1e-12);
        for bad in ["a", "=1", "a=", "a=1:2", "a=1:2:1", "a=0:1:3:log", "a=1:2:3:4:5", "a b=1", "a=1:2:3:lin"]
        {
            assert!(grid(bad).is_err(), "{bad}");
        }
    }
}
