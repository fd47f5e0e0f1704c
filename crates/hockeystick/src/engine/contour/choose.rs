//! Which recipe to try next: a pure function of plain numbers.

use super::{Recipe, target::Target, tuning::Tuning};

/// The estimates that the choice is based on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outlook {
    pub(super) target: Target,
    /// The number of points of a single line for the whole composition.
    pub(super) points: usize,
    /// The same between band-limited functions, for a width as small as is wanted where `|M|` decays.
    pub(super) points_of_band: usize,
    /// The relative width of g expected from that line.
    pub(super) expected_width: f64,
}

/// A recipe that was tried, and for what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tried {
    pub(super) recipe: Recipe,
    pub(super) target: Target,
    pub(super) built: Result<(), NotBuilt>,
}

/// Why a recipe could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotBuilt {
    /// No pair can be cut.
    NoCut,
    /// A pair has no quadrature rule for a line, or its rule has too many nodes, or no line of a slice is narrow enough.
    NoLine,
}

/// The recipe to try next; `None` if none is left.
///
/// A line costs its number of points, and a band-limited one takes the most. Slices cost about [`Tuning::points_of_slices`] points, wherever the cuts are. A recipe that was
/// built is built again only for a target that has moved. A recipe that could not be built is not tried again.
pub(super) fn choose(outlook: &Outlook, tried: &[Tried], tuning: &Tuning) -> Option<Recipe> {
    let Outlook { target, points, points_of_band, expected_width } = *outlook;
    let is_fine = expected_width <= tuning.part_expected * target.needed;
    let slices = |sharper| Recipe::Slices { sharper };
    let by_cost: &[Recipe] = match is_fine {
        // Few digits of a law that hardly decays.
        true if points_of_band < points => &[Recipe::BandLimited, Recipe::Line],
        true if points <= tuning.points_of_slices => &[Recipe::Line, slices(0), slices(1), slices(2)],
        true => &[slices(0), Recipe::Line, slices(1), slices(2)],
        false => &[slices(0), slices(1), slices(2), Recipe::BandLimited],
    };
    let is_new = |recipe: &Recipe| {
        let before = |tried: &&Tried| tried.recipe == *recipe;
        let needs_decay = *recipe != Recipe::BandLimited;
        let is_served = |tried: &Tried| target.is_served_by(tried.target, needs_decay);
        tried.iter().filter(before).all(|tried| tried.built.is_ok() && !is_served(tried))
    };
    let can_be_cut = !tried.iter().any(|tried| tried.built == Err(NotBuilt::NoCut));
    let is_possible = |recipe: &&Recipe| can_be_cut || !matches!(recipe, Recipe::Slices { .. });
    let last_resort = || tried.iter().all(|tried| tried.built.is_err()).then_some(Recipe::BandLimited);
    by_cost
        .iter()
        .filter(is_possible)
        .find(|recipe| is_new(recipe))
        .copied()
        .or_else(|| last_resort().filter(is_new))
}

#[cfg(test)]
mod tests {
    use super::{super::tuning::TUNING, *};

    const TARGET: Target =
        Target { epsilon: 1.0, log_delta: -11.0, needed: 3e-10, needed_without_decay: 1e-8 };
    const LINE: Recipe = Recipe::Line;
    const SLICES: Recipe = Recipe::Slices { sharper: 0 };
    const SHARPER: Recipe = Recipe::Slices { sharper: 1 };
    const LAST: Recipe = Recipe::BandLimited;

    fn tried(recipe: Recipe) -> Tried {
        Tried { recipe, target: TARGET, built: Ok(()) }
    }

    fn failed(recipe: Recipe) -> Tried {
        Tried { built: Err(NotBuilt::NoLine), ..tried(recipe) }
    }

    fn uncut() -> Tried {
        Tried { built: Err(NotBuilt::NoCut), ..tried(SLICES) }
    }

    fn elsewhere(recipe: Recipe) -> Tried {
        Tried { target: Target { epsilon: 1.2, ..TARGET }, ..tried(recipe) }
    }

    #[test]
    fn recipes_in_their_order() {
        let table: &[(usize, f64, &[Tried], Option<Recipe>)] = &[
            (300, 1e-12, &[], Some(LINE)),
            (5000, 1e-12, &[], Some(SLICES)),
            (8192, 1e-3, &[], Some(SLICES)),
            // It turned out to be wider than expected.
            (300, 1e-12, &[tried(LINE)], Some(SLICES)),
            (300, 1e-12, &[elsewhere(LINE)], Some(LINE)),
            (5000, 1e-12, &[tried(SLICES)], Some(LINE)),
            (5000, 1e-12, &[tried(SLICES), tried(LINE)], Some(SHARPER)),
            (8192, 1e-3, &[tried(SLICES)], Some(SHARPER)),
            (8192, 1e-3, &[elsewhere(SLICES)], Some(SLICES)),
            // Smooth cuts have no lines.
            (5000, 1e-12, &[failed(SLICES)], Some(LINE)),
            (8192, 1e-3, &[failed(SLICES)], Some(SHARPER)),
            // No pair can be cut.
            (5000, 1e-12, &[uncut()], Some(LINE)),
            (8192, 1e-3, &[uncut()], Some(LAST)),
            (300, 1e-12, &[failed(LINE), uncut()], Some(LAST)),
            (300, 1e-12, &[tried(LINE), uncut()], None),
            (8192, 1e-3, &[uncut(), tried(LAST)], None),
            (8192, 1.0, &[uncut()], Some(LAST)),
        ];
        for (points, expected_width, tried, wanted) in table {
            let outlook = Outlook {
                target: TARGET,
                points: *points,
                points_of_band: 100_000,
                expected_width: *expected_width,
            };
            assert_eq!(choose(&outlook, tried, &TUNING), *wanted, "{points} {expected_width:e} {tried:?}");
        }
    }

    #[test]
    fn few_digits_take_few_points_without_decay() {
        let outlook = Outlook { target: TARGET, points: 8000, points_of_band: 60, expected_width: 1e-12 };
        assert_eq!(choose(&outlook, &[], &TUNING), Some(LAST));
        assert_eq!(choose(&outlook, &[failed(LAST)], &TUNING), Some(LINE));
    }

    #[test]
    fn more_digits_are_another_target() {
        let outlook = Outlook {
            target: Target { needed: 1e-12, ..TARGET },
            points: 300,
            points_of_band: 1_000_000,
            expected_width: 1e-13,
        };
        assert_eq!(choose(&outlook, &[tried(LINE)], &TUNING), Some(LINE));
    }
}
