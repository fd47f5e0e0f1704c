//! Every threshold that was tuned, once.

/// Thresholds of the contour engine. None of them can make an answer wrong: they cost width or time.
///
/// `bench/range` justifies those of choice and of slices, `bench/counts` those of sums. What belongs to a proof stands beside the proof, and
/// what only ends a loop stands beside the loop. Logarithms are natural.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    // -- Digits, as relative widths of g.
    /// Errors are aimed at this part of what is allowed; so many times that is accepted.
    pub(super) part_aimed_at: f64,
    pub(super) accepted: f64,
    /// The part of g that is in doubt for every power of e that it falls while ε grows by itself: a loss of that size is rounded.
    pub(super) rounding: f64,
    /// Less is hardly ever left by a line in doubles.
    pub(super) least_in_doubles: f64,
    /// However steeply g falls, so many digits of it are wanted.
    pub(super) first_digits: f64,
    /// Where g is known to be far above what is asked for, its first digit is.
    pub(super) first_digit: f64,
    /// Below this no use of a pair may take from the digits of g.
    pub(super) needs_all_digits: f64,
    /// How far below that errors of lines, and those of their rules, are aimed, as logarithms.
    pub(super) log_below_needed: f64,
    pub(super) log_of_rules: f64,
    /// Terms are rounded to less than this, as a logarithm relative to what errors are aimed at.
    pub(super) log_roundoff: f64,
    /// Up to so many uses, and so many for every relative width, `M` is summed as it is; and fewer below all cuts, where it is next to 1.
    pub(super) most_direct_uses: f64,
    pub(super) direct_uses_for_digits: f64,
    pub(super) direct_uses_below_cuts: f64,

    // -- The choice.
    /// Assemblies that are built for one question.
    pub(super) passes: usize,
    /// Slices cost about as much as a line of so many points.
    pub(super) points_of_slices: usize,
    /// The part of what is needed that a line may be expected to leave.
    pub(super) part_expected: f64,
    /// A line that is expected to leave more than this part of g is not drawn.
    pub(super) hopeless: f64,
    /// Targets are the same if they differ by less than this part of ε.
    pub(super) near: f64,
    /// Two estimates of ε are of one kind if they differ by less than this part of it.
    pub(super) close: f64,
    /// An ε that is below the largest loss by no more than this part of it is taken to be there.
    pub(super) next_to_largest: f64,
    /// Where less than this part of δ is left, the ε that was asked for is somewhere else.
    pub(super) not_less: f64,
    /// How far apart a slope is taken, as a part of ε and of the inverse tilt.
    pub(super) slope_step: f64,

    // -- Lines.
    /// No line has more points, and none is made shorter than this.
    pub(super) most_points: usize,
    pub(super) fewest_points: usize,
    /// With a tilt of fewer standard deviations the law would wrap around after a long period only.
    pub(super) least_deviations: f64,
    /// Tilts near the saddle are tried, too, if it is below this part of the largest.
    pub(super) near_saddle: f64,
    /// By how much terms may be larger than their sum, as a logarithm, if another tilt does not lose as many digits.
    pub(super) most_excess: f64,
    /// From so many times the lowest height on, bounds of the tail that take longer are worth it; and a line for what is below a cut is too long.
    pub(super) far_up: f64,

    // -- Slices.
    /// No line of a slice has more points; a line for all that is left has fewer if it could be cut again.
    pub(super) longest_slice: usize,
    pub(super) long_slice: usize,
    /// How many of the cuts that are looked at a slice spans at most.
    pub(super) cuts_of_slice: usize,
    /// The part of what is needed that one of several lines may leave.
    pub(super) share_of_slice: f64,
    /// How much larger the estimate for several scales of losses at once may be than those of each, as a logarithm: digits that are lost.
    pub(super) loss_of_digits: f64,
    /// Slices that are so much smaller than δ, as a logarithm, may lose as many digits.
    pub(super) log_unimportant: f64,
    /// With so many losses resolved, `|M|` has decayed.
    pub(super) resolved_losses: f64,
    /// By how much `e^{cL}` may have grown from a cut to its end, as a logarithm, where `e^{−100}` is left of the weight: for cuts to be as smooth,
    /// at the tilt of a slice, and where λ is.
    pub(super) largest_gain: f64,
    pub(super) much_gain: f64,
    pub(super) most_gain: f64,
    /// The spread of a cut, as a part of the length on which the ratio grows by e: at most, usually at least, and at least; and by what factor
    /// cuts are made sharper.
    pub(super) smoothest_cut: f64,
    pub(super) sharp_cut: f64,
    pub(super) sharpest_cut: f64,
    pub(super) sharper_cut: f64,
    /// The spread of a cut as a part of the deviation of the outcomes, at most; and how far two cuts are apart at least, in spreads.
    pub(super) cut_of_deviation: f64,
    pub(super) cuts_apart: f64,

    // -- The table of scales.
    /// Losses at neighbouring cuts have this ratio.
    pub(super) cut_ratio: f64,
    /// A loss is rare if fewer than the first are as large on average. There are no cuts where so many as the second are larger.
    pub(super) rare: f64,
    pub(super) many_losses: f64,
    /// The step of the logarithms of tilts.
    pub(super) tilt_step: f64,
    /// How far the estimate for one loss and that of the saddle point may be apart, as a logarithm, before it seems to take more than one.
    pub(super) similar: f64,
    /// How many times as much a function may bend at its least value as beside it, before it is taken to jump there.
    pub(super) lopsided: f64,

    // -- Sums over nodes.
    /// Nodes times points that are too many; and nodes that are, of what is above a cut and of all else.
    pub(super) most_work: usize,
    pub(super) most_nodes_above: f64,
    pub(super) most_nodes: f64,

    // -- Kept lines.
    /// A line is good at another ε if it leaves no more than this part of δ, or so many times what it leaves where it was made.
    pub(super) good: f64,
    pub(super) worse: f64,
    /// Lines that are kept.
    pub(super) kept_lines: usize,
}

/// What the engine uses.
pub(super) const TUNING: Tuning = Tuning {
    part_aimed_at: 0.3,
    accepted: 2.4,
    rounding: 1e-14,
    least_in_doubles: 5e-13,
    first_digits: 2.5e-3,
    first_digit: 0.5,
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
    hopeless: 0.5,
    near: 0.005,
    close: 0.06,
    next_to_largest: 2e-10,
    not_less: 0.5,
    slope_step: 1e-3,

    most_points: 1 << 13,
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
    largest_gain: 60.0,
    much_gain: 65.0,
    most_gain: 85.0,
    smoothest_cut: 0.15,
    sharp_cut: 0.03,
    sharpest_cut: 0.007,
    sharper_cut: 0.45,
    cut_of_deviation: 0.35,
    cuts_apart: 3.0,

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
