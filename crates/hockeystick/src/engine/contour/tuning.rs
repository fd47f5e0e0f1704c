//! The tuned thresholds of choice, lines, slices and kept assemblies.

/// Thresholds of the contour engine. None of them can make an answer wrong: they cost width or time.
///
/// `bench/range` justifies those of choice and of slices, `bench/counts` those of sums. What belongs to a proof stands beside the proof. What
/// only says where a search looks (candidates, numbers of cells, ends of loops) stands beside the search. Logarithms are natural.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    // -- Digits, as relative widths of g.
    /// The relative width aimed at (`needed`), as a fraction of the allowed one.
    pub(super) part_aimed_at: f64,
    /// A width of up to this multiple of `needed` is accepted.
    pub(super) accepted: f64,
    /// The relative error of g caused by a rounded ε, per unit of c·ε.
    pub(super) rounding: f64,
    /// The smallest `needed` for an ε: lines in doubles hardly ever do better.
    pub(super) least_in_doubles: f64,
    /// The largest `needed` for an ε, however steep g is.
    pub(super) max_needed: f64,
    /// The relative width allowed where only the size of g matters.
    pub(super) one_digit: f64,
    /// If `needed` is below this, `M` is never summed directly, which would lose digits by cancellation.
    pub(super) needs_all_digits: f64,
    /// How far below `needed` aliasing and truncation of a line are aimed, as a logarithm.
    pub(super) log_below_needed: f64,
    /// How much further below quadrature rules are aimed, as a logarithm.
    pub(super) log_of_rules: f64,
    /// The round-off of a term, as a logarithm relative to the error that a line aims at.
    pub(super) log_roundoff: f64,
    /// `M` of a pair is summed directly for at most this many uses,
    pub(super) most_direct_uses: f64,
    /// at most this many times `needed`,
    pub(super) direct_uses_for_digits: f64,
    /// and at most this many below all cuts and in bounds by one moment, where `M` may be near 1.
    pub(super) direct_uses_below_cuts: f64,

    // -- The choice.
    /// The most assemblies built per question. Recipes that cannot be built do not count.
    pub(super) passes: usize,
    /// The cost of slices, in points of a single line. A longer line is tried only after slices.
    pub(super) points_of_slices: usize,
    /// A line is built if its expected width is at most this fraction of the width aimed at.
    pub(super) part_expected: f64,
    /// An assembly serves another target only if their ε differ by at most this, relatively.
    pub(super) near: f64,
    /// Two estimates of ε agree if they differ by at most this, relatively.
    pub(super) close: f64,
    /// An ε within this relative distance of the largest loss is bounded by that loss.
    pub(super) next_to_largest: f64,
    /// If g is proven to be below this fraction of the δ asked for, the ε found is wrong.
    pub(super) not_less: f64,
    /// The step of the difference quotient for a slope, as a fraction of ε, and at least this fraction of 1/c.
    pub(super) slope_step: f64,

    // -- Lines.
    /// The most points of a line.
    pub(super) most_points: usize,
    /// The most points of a band-limited line, and the fewest to which it is shortened.
    pub(super) most_points_of_band: usize,
    pub(super) fewest_points: usize,
    /// The largest tilt tried is at least this over the deviation. Smaller tilts need a long period against aliasing.
    pub(super) least_deviations: f64,
    /// For a piece, tilts near the saddle are tried too if it is below this fraction of the largest tilt.
    pub(super) near_saddle: f64,
    /// Tilts with less cancellation than this, as `log(terms/sum)`, are compared by cost. If there is none, the least is taken.
    pub(super) most_excess: f64,
    /// A line that is this many times higher than its starting height gets the slower tail bounds (moved paths).
    /// One line may serve what is below a cut only if it resolves the losses within this many tilts of height.
    pub(super) far_up: f64,

    // -- Slices.
    /// The most points of a slice's line, and of a line below the lowest cut.
    pub(super) longest_slice: usize,
    /// The most points of a line for all losses below a cut that could be cut again.
    pub(super) long_slice: usize,
    /// A slice spans at most this many cuts of the table.
    pub(super) cuts_of_slice: usize,
    /// The fraction of the width aimed at that one piece may use.
    pub(super) share_of_slice: f64,
    /// One line serves several scales of losses if its estimate exceeds the sum of theirs by less than this, as a logarithm.
    /// The excess is lost by cancellation.
    pub(super) loss_of_digits: f64,
    /// A contribution this far below δ, as a logarithm, needs no relative accuracy.
    pub(super) log_unimportant: f64,
    /// `|M|` is taken to have decayed once this many losses are resolved.
    pub(super) resolved_losses: f64,
    /// Limits of `log e^{cL}`'s growth from a cut to its end, where the weight has fallen to `e^{−100}`.
    /// This one is the limit that sets the relative_spread of cuts, and for a line of what is below a cut.
    pub(super) gain_of_cut: f64,
    /// The limit for the line of a slice.
    pub(super) gain_of_slice: f64,
    /// The limit for λ.
    pub(super) gain_of_lambda: f64,
    /// The largest spread of a cut, in units of the length on which the ratio grows by a factor e.
    pub(super) widest_spread: f64,
    /// The smallest spread before cuts are sharpened.
    pub(super) usual_spread: f64,
    /// The smallest spread of all.
    pub(super) least_spread: f64,
    /// The factor by which a step of sharpening shrinks the spread.
    pub(super) spread_ratio: f64,
    /// The largest spread of a cut, in units of the deviation of the outcomes.
    pub(super) cut_of_deviation: f64,
    /// The smallest distance of two cuts, in spreads.
    pub(super) cuts_apart: f64,
    /// A pair is not cut where its losses are as rare as this power of what may be left out.
    pub(super) log_never: f64,

    // -- The table of scales.
    /// Losses at neighbouring cuts have this ratio.
    pub(super) cut_ratio: f64,
    /// Losses above a cut are rare if fewer than this many are expected.
    pub(super) rare: f64,
    /// The table ends at the first cut above which more losses than this are expected.
    pub(super) many_losses: f64,
    /// The step of the logarithms of tilts.
    pub(super) tilt_step: f64,
    /// The estimate from a single loss is used if it is within this of the saddle point's, as a logarithm.
    pub(super) similar: f64,
    /// `K` is taken to jump beside its least value if the second difference there exceeds the neighbouring one by this factor.
    pub(super) lopsided: f64,

    // -- Sums over nodes.
    /// The most nodes times points summed for one pair.
    pub(super) most_work: usize,
    /// The most nodes of a rule: for what is above a cut at a power θ ≥ 0, and for all else.
    pub(super) most_nodes_above: f64,
    pub(super) most_nodes: f64,

    // -- Kept lines.
    /// A kept assembly is used at another ε if its relative width is below this,
    pub(super) good: f64,
    /// or below this multiple of its relative width at the ε it was built for.
    pub(super) worse: f64,
    /// The most assemblies kept.
    pub(super) kept_lines: usize,
}

/// What the engine uses.
pub(super) const TUNING: Tuning = Tuning {
    part_aimed_at: 0.3,
    accepted: 2.4,
    rounding: 1e-14,
    least_in_doubles: 5e-13,
    max_needed: 2.5e-3,
    one_digit: 0.5,
    needs_all_digits: 1e-11,
    log_below_needed: 6.5,
    log_of_rules: 5.0,
    log_roundoff: -4.0,
    most_direct_uses: 5000.0,
    direct_uses_for_digits: 1e12,
    direct_uses_below_cuts: 60.0,

    passes: 3,
    points_of_slices: 1000,
    part_expected: 0.4,
    near: 0.005,
    close: 0.06,
    next_to_largest: 2e-10,
    not_less: 0.5,
    slope_step: 1e-3,

    most_points: 1 << 13,
    most_points_of_band: 1 << 19,
    fewest_points: 8,
    least_deviations: 2.5,
    near_saddle: 0.7,
    most_excess: 6.5,
    far_up: 64.0,

    longest_slice: 6000,
    long_slice: 2500,
    cuts_of_slice: 6,
    share_of_slice: 0.35,
    loss_of_digits: 3.0,
    log_unimportant: -10.0,
    resolved_losses: 10.0,
    gain_of_cut: 60.0,
    gain_of_slice: 65.0,
    gain_of_lambda: 85.0,
    widest_spread: 0.15,
    usual_spread: 0.03,
    least_spread: 0.007,
    spread_ratio: 0.45,
    cut_of_deviation: 0.35,
    cuts_apart: 3.0,
    log_never: 2.0,

    cut_ratio: 1.5,
    rare: 0.1,
    many_losses: 20.0,
    tilt_step: 0.1,
    similar: 1.5,
    lopsided: 3.0,

    most_work: 8_000_000,
    most_nodes_above: 16_000.0,
    most_nodes: 50_000.0,

    good: 1e-11,
    worse: 4.0,
    kept_lines: 64,
};
