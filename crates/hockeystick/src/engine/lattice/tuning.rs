//! Every threshold of the engine that was tuned, once. A constant that a proof needs stands beside its proof.
//!
//! Costs are in nanoseconds on one core at 3 GHz; only their ratios matter. A share is a part of the width that the tolerance allows.

use crate::pair::ZONES;

/// Widths of cells where little depends on outcomes, in spacings. They are odd, so that the middles of all cells are half-way between points.
pub(crate) const WIDTHS: [i64; STRIDES] = [3, 5, 9, 17, 33, 65, 129];
pub(crate) const STRIDES: usize = 7;

/// Thresholds. Every value encloses; they decide time and width.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    // How the allowed width is shared out.
    /// Share of the gap between the law above and the law below. The estimate of the gap is of first order.
    pub(crate) gap_share: f64,
    /// The same where a second try takes long, and from how many parts on that is so.
    pub(crate) safe_gap_share: f64,
    pub(crate) many_parts_to_refine: usize,
    /// Share of each of truncation, aliasing, and of round-off before anything is done about it.
    pub(crate) truncation_share: f64,
    pub(crate) harmless_share: f64,
    /// Share of the harmless round-off for leading bins of one law that are summed: hundreds of laws are composed like that.
    pub(crate) harmless_share_of_sums: f64,
    /// Share of the round-off so far that a bin may be to be left out, and the most that it may be.
    pub(crate) faint_share: f64,
    pub(crate) most_faint: f64,
    /// Share of the cost of the spacing that each wider width of cells may add.
    pub(crate) wide_cells_share: f64,
    /// The widest cell, times the tilt plus one: above, its cost is no square of its width.
    pub(crate) widest_cell: f64,

    // The window.
    /// Tilts that are tried, in saddle points, and how much a smaller tilt may raise round-off.
    pub(crate) smaller_tilts: [f64; 5],
    pub(crate) most_round_off_growth: f64,
    /// The fewest points of a transform.
    pub(crate) fewest_points: usize,
    /// By how much a window may be longer than a power of two and still get that many points, on a grid coarser by as much.
    pub(crate) rounded_down_points: f64,

    // The grid.
    /// How likely an atom is, in spacings, before it must be a point of the grid: cells have a mass of the order of the spacing.
    pub(crate) heavy_atom: f64,
    /// How many places of the points are tried within a spacing that was asked for, and for how many cells.
    pub(crate) places: u32,
    pub(crate) few_cells: usize,
    /// The most points of a law that is made from tails: each takes ten microseconds.
    pub(crate) most_tails: usize,
    /// How close outcomes are taken together, in spacings (what that costs falls with the square), and which widths of cells allow for
    /// as many times that distance.
    pub(crate) merged_width: f64,
    pub(crate) merged_zones: [usize; ZONES],
    /// Atoms of a part that are listed before the grid is chosen, of many parts.
    pub(crate) listed_atoms: usize,

    // Enumeration.
    /// The most outcomes; so few are always worth it; what each takes.
    pub(crate) most_outcomes: f64,
    pub(crate) few_outcomes: f64,
    pub(crate) outcome_cost: f64,
    /// The part of the tolerance that its error may be.
    pub(crate) enumeration_error_share: f64,

    // Work on the grid.
    /// What a cell takes, and a point of a transform for each of its levels.
    pub(crate) cell_cost: f64,
    pub(crate) step_cost: f64,
    /// After so many different parts few bins are left to transform to.
    pub(crate) transformed_parts: usize,
    /// What a mass and a bin take in an exponential sum, in points of a transform.
    pub(crate) sum_cost_per_point: usize,
    pub(crate) sum_cost_per_bin: usize,
    /// A law of at most so many bins is not transformed back, nor if the window has fewer points for each of them: every answer adds all.
    pub(crate) most_waves: usize,
    pub(crate) points_per_wave: usize,
    /// From so many parts on there are two threads; the part of all bins that may matter before each has a product of its own; how many laws
    /// are made at once until then.
    pub(crate) parts_for_two_threads: usize,
    pub(crate) split_bins: usize,
    pub(crate) tasks_at_once: usize,

    // Groups.
    /// From so many parts on; how many times as wide the spacing must become; for which part of the work.
    pub(crate) fewest_parts_in_groups: usize,
    pub(crate) group_gain: f64,
    pub(crate) group_work_share: f64,
    /// What a product of two outcomes takes, and the most of them.
    pub(crate) product_cost: f64,
    pub(crate) most_products: f64,

    // Refinement.
    /// The most times that a grid is made finer, after its width was seen.
    pub(crate) refinements: usize,
    /// The tolerance that is tried first where a composition may not matter, and the part of what is expected between two compositions.
    pub(crate) coarse_tolerance: f64,
    pub(crate) share_below_ceiling: f64,
}

/// What the engine runs with.
pub(crate) const TUNING: Tuning = Tuning {
    gap_share: 0.58,
    safe_gap_share: 0.49,
    many_parts_to_refine: 256,
    truncation_share: 0.01,
    harmless_share: 0.01,
    harmless_share_of_sums: 1e-3,
    faint_share: 0.01,
    most_faint: 1e-6,
    wide_cells_share: 0.03,
    widest_cell: 0.5,
    smaller_tilts: [0.88, 0.77, 0.68, 0.6, 0.52],
    most_round_off_growth: 100.0,
    fewest_points: 64,
    rounded_down_points: 1.15,
    heavy_atom: 10.0,
    places: 8,
    few_cells: 8192,
    most_tails: 50_000,
    merged_width: 0.25,
    merged_zones: [2, 5],
    listed_atoms: 1200,
    most_outcomes: 131_072.0,
    few_outcomes: 2048.0,
    outcome_cost: 100.0,
    enumeration_error_share: 0.1,
    cell_cost: 100.0,
    step_cost: 0.5,
    transformed_parts: 32,
    sum_cost_per_point: 8,
    sum_cost_per_bin: 8,
    most_waves: 1024,
    points_per_wave: 32,
    parts_for_two_threads: 16,
    split_bins: 4,
    tasks_at_once: 16,
    fewest_parts_in_groups: 12,
    group_gain: 2.0,
    group_work_share: 0.6,
    product_cost: 2.5,
    most_products: 5e8,
    refinements: 2,
    coarse_tolerance: 0.03,
    share_below_ceiling: 0.6,
};

impl Tuning {
    /// What cells of all widths add to the cost of the spacing: each width on either side.
    pub(crate) fn cost_of_wide_cells(&self) -> f64 {
        1.0 + 1.5 * self.wide_cells_share * STRIDES as f64
    }

    /// How many bins of a window are not transformed back.
    pub(crate) fn waves_of(&self, length: usize) -> usize {
        (length / self.points_per_wave).min(self.most_waves)
    }
}
