//! The checks that the infallible operators leave for later.

use super::{InvalidParameter, Mechanism, Repeat};

/// How many mechanisms can lie inside each other, counting the outermost.
///
/// A level takes two levels of JSON, and readers of JSON commonly stop at 128.
pub const MAX_DEPTH: usize = 60;

impl Mechanism {
    /// Checks what `repeat`, `*` and `+` cannot refuse: every count is from 1 to 10¹⁵, and mechanisms lie at
    /// most [`MAX_DEPTH`] deep inside each other.
    ///
    /// What was read from text or JSON has passed these checks.
    pub fn validate(&self) -> Result<(), InvalidParameter> {
        let mut pending = vec![(self, 1)];
        while let Some((mechanism, depth)) = pending.pop() {
            check_depth(depth)?;
            if let Self::Repeat(repeat) = mechanism {
                Repeat::check_count(repeat.count())?;
            }
            pending.extend(mechanism.parts().iter().map(|part| (part, depth + 1)));
        }
        Ok(())
    }
}

pub(super) fn check_depth(depth: usize) -> Result<(), InvalidParameter> {
    if depth > MAX_DEPTH {
        return Err(InvalidParameter {
            mechanism: "mechanism",
            parameter: "nesting",
            value: format!("more than {MAX_DEPTH} levels"),
            allowed: format!("at most {MAX_DEPTH}"),
            cure: "merge repetitions of repetitions and samples of samples".to_owned(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::{Algebra, Gaussian};

    #[test]
    fn counts_are_checked_wherever_they_are() {
        let leaf = Gaussian::new(1.0).unwrap();
        assert_eq!((leaf + leaf * 1_000_000_000_000_000).validate(), Ok(()));
        for count in [0, 1_000_000_000_000_001] {
            let mechanism = (leaf + leaf * count).poisson(0.5).unwrap() * 2;
            let error = mechanism.validate().unwrap_err();
            assert_eq!((error.mechanism, error.parameter), ("repeat", "count"));
            assert_eq!(error.value, count.to_string());
        }
    }

    #[test]
    fn depth_is_checked() {
        let mut mechanism = Mechanism::from(Gaussian::new(1.0).unwrap());
        for _ in 1..MAX_DEPTH {
            mechanism = mechanism.repeat(2);
        }
        assert_eq!(mechanism.validate(), Ok(()));
        assert_eq!(mechanism.repeat(2).validate().unwrap_err().parameter, "nesting");
    }
}
