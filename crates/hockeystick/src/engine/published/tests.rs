//! Published laws against the curves of their pairs, and beside those of the lattice engine.

use super::{BUCKETS, RIEMANN, TANGENTS};
use crate::{
    engine::lattice::{
        CONNECT_THE_DOTS, Discretisation, Grid, LossRange, Outcomes,
        discretise_tests::{
            delta, for_all_pairs, grid, keeps_an_atom_at_the_first_point, keeps_the_order_of_merged_outcomes,
            keeps_wide_cells_that_q_hardly_has,
        },
    },
    pair::{Direction, dominating_pair},
};
use hockeystick_numerics::ball::Ball;

/// [Doroshenko22, Lemma 4.1, Cor. 4.3, Thm 5.4], and [Koskela21, Lemmas 6 and 12].
#[test]
fn laws_are_in_their_order() {
    for_all_pairs(|case, pair, outcomes| {
        let grid = grid(0.03, outcomes, pair);
        let above =
            |discretisation: Discretisation, grid| discretisation.pessimistic(pair, Some(outcomes), grid);
        let below = |discretisation: Discretisation| discretisation.optimistic(pair, Some(outcomes), grid);
        let dots = above(CONNECT_THE_DOTS, grid);
        // On the lattice that the dots were put on: theirs may be moved to go through an atom.
        let same = Grid { offset: dots.offset, ..grid };
        let rounded_up = above(BUCKETS, same);
        let (largest, smallest) = (above(RIEMANN, grid), below(RIEMANN));
        let (merged, rounded_down) = (below(CONNECT_THE_DOTS), below(BUCKETS));
        let tangents = below(TANGENTS);
        let from_tails = TANGENTS.optimistic(pair, None, grid);
        let slack = 1e-12;
        for i in -40..60 {
            let epsilon = 0.037 * f64::from(i);
            let truth = pair.delta(Ball::from(epsilon)).value();
            for (name, law) in [("dots", &dots), ("buckets", &rounded_up), ("Riemann", &largest)] {
                assert!(delta(law, epsilon) >= truth.lower() - slack, "{name} of {case} at {epsilon}");
            }
            for (name, law) in [
                ("merged", &merged),
                ("tangents", &tangents),
                ("tangents from tails", &from_tails),
                ("buckets", &rounded_down),
                ("Riemann", &smallest),
            ] {
                let found = delta(law, epsilon);
                assert!(found <= truth.upper() + slack, "{name} of {case} at {epsilon}: {found} {truth:?}");
            }
            assert!(delta(&dots, epsilon) <= delta(&rounded_up, epsilon) + slack, "{case} at {epsilon}");
            assert!(
                delta(&smallest, epsilon) <= delta(&rounded_down, epsilon) + slack,
                "{case} at {epsilon}"
            );
        }
    });
}

/// Where losses have a density the gap of the hull of tangents falls with the square of the spacing, and merging outcomes is closer
/// still. From closed forms and from tails it is the same law.
#[test]
fn tangents_are_of_second_order() {
    for text in ["gaussian(sigma=1)", "poisson(gaussian(sigma=1), rate=0.1)", "exponential(epsilon=1)"] {
        let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
        let outcomes = Outcomes::of(&pair, -100.0).unwrap();
        // Between two points of all lattices.
        let epsilon = 0.37;
        let truth = pair.delta(Ball::from(epsilon)).value().midpoint();
        let gap = |spacing: f64, discretisation: Discretisation, outcomes: Option<&Outcomes>| {
            let grid = grid(spacing, outcomes.unwrap_or(&Outcomes::of(&pair, -100.0).unwrap()), &pair);
            truth - delta(&discretisation.optimistic(&pair, outcomes, grid), epsilon)
        };
        let [coarse, fine] = [0.04, 0.01].map(|spacing| gap(spacing, TANGENTS, Some(&outcomes)));
        assert!(fine > 0.0 && (8.0..32.0).contains(&(coarse / fine)), "{text}: {coarse} {fine}");
        let from_tails = gap(0.01, TANGENTS, None);
        assert!((from_tails - fine).abs() < 1e-3 * fine, "{text}: {from_tails} {fine}");
        assert!(gap(0.01, CONNECT_THE_DOTS, Some(&outcomes)) < fine, "{text}: {fine}");
    }
}

/// Regression: losses that lie below a point by less than roundings were taken for losses above it, so that tangents crossed: with a
/// rate of 10⁻¹⁵ that was one in ten thousand of δ.
#[test]
fn tangents_do_not_cross_where_losses_are_next_to_a_point() {
    for rate in [5e-16, 1e-14, 1e-12] {
        let text = format!("poisson(truncated_gaussian(sigma=0.074, bound=0.758), rate={rate:e})");
        for direction in [Direction::Remove, Direction::Add] {
            let pair = dominating_pair(&text.parse().unwrap(), direction).unwrap();
            let outcomes = Outcomes::of(&pair, -740.0).unwrap();
            let grid =
                Grid::covering(&pair.finite_losses(), &LossRange::plain(-150.0, 68.0), 0.7, 1.0).unwrap();
            let law = TANGENTS.optimistic(&pair, Some(&outcomes), grid);
            for i in -40..40 {
                let epsilon = 0.1 * rate * f64::from(i);
                let (found, truth) = (delta(&law, epsilon), pair.delta(Ball::from(epsilon)).value().upper());
                assert!(found <= truth * (1.0 + 1e-9), "{text} {direction:?} {epsilon}: {found} {truth}");
            }
        }
    }
}

/// Regressions of the lattice engine that concern published laws, too.
#[test]
fn published_laws_keep_their_sides() {
    keeps_an_atom_at_the_first_point(BUCKETS);
    keeps_wide_cells_that_q_hardly_has(TANGENTS);
    [TANGENTS, BUCKETS, RIEMANN].into_iter().for_each(keeps_the_order_of_merged_outcomes);
}
