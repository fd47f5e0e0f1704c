//! Every threshold of the engine that was tuned, once. A constant that a proof needs stands beside its proof.
//!
//! Every value encloses: these decide time, memory and width. What was measured is in `docs/design/lattice.md`.

use crate::pair::ZONES;

/// Widths of cells where little depends on outcomes, in spacings. They are odd, so that the middles of all cells are half-way between points.
pub(crate) const WIDTHS: [i64; STRIDES] = [3, 5, 9, 17, 33, 65, 129];
/// How many widths beyond one spacing there are.
pub(crate) const STRIDES: usize = 7;

/// Thresholds. A *share* is a part of the width that the tolerance allows; a *cost* is in nanoseconds, of which only the ratios matter.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    // How the allowed width is shared out.
    /// The share of the gap between the law above and the law below.
    pub(crate) gap_share: f64,
    /// The same from so many parts on, for a second try takes long.
    pub(crate) safe_gap_share: f64,
    /// From so many parts on.
    pub(crate) slow_to_refine: usize,
    /// The share of each of truncation, aliasing, harmless round-off; and the part of the round-off so far that a bin may have to be left out.
    pub(crate) negligible: f64,
    /// The part of the cost of the spacing that each wider width of cells may add.
    pub(crate) wide_cells_share: f64,
    /// The width of a cell times the tilt plus one, at most: above, its cost does not go with the square of its width.
    pub(crate) widest_cell: f64,

    // The law of a part as point masses, for estimates.
    /// Points per standard deviation or length of decay of a density.
    pub(crate) points_per_deviation: f64,
    /// The fewest and the most points of a density, or of the atoms of a part.
    pub(crate) fewest_points: usize,
    pub(crate) most_points: usize,
    /// The most points of the atoms of all parts.
    pub(crate) most_points_of_all: usize,
    /// Points at which a pair that shows no outcomes is asked for its tails.
    pub(crate) points_of_tails: usize,
    /// Of many parts: the ratio of neighbouring orders at which cumulants are taken, and interpolated between.
    pub(crate) order_ratio: f64,

    // The window.
    /// The ratio of neighbouring tilts that are tried below the saddle point, and how many are.
    pub(crate) tilt_ratio: f64,
    pub(crate) tilts: i32,
    /// The factor by which a smaller tilt may raise round-off.
    pub(crate) round_off_growth: f64,
    /// The fewest points of a transform.
    pub(crate) shortest_window: usize,
    /// A window that is longer than a power of two by a smaller factor gets that many points, on a grid coarser by as much.
    pub(crate) rounded_down: f64,

    // The grid.
    /// An atom of so many spacings' mass must be a point of the grid: cells have a mass of the order of the spacing.
    pub(crate) heavy_atom: f64,
    /// How many places of the points are tried within a spacing that was asked for, for at most so many cells.
    pub(crate) places: u32,
    pub(crate) few_cells: usize,
    /// The most points of a law that is made from tails: each takes ten microseconds.
    pub(crate) most_tails: usize,
    /// How close outcomes are taken together before they are put on the grid, in spacings: what that costs falls with the square.
    pub(crate) merged_width: f64,
    /// The widths of cells (as places in [`WIDTHS`]) that allow for as many times that distance.
    pub(crate) merged_zones: [usize; ZONES],
    /// Atoms of a part that are listed before the grid is chosen, of many parts.
    pub(crate) listed_atoms: usize,

    // Edges of cells.
    /// How close an edge, or a merged loss, is brought to its point: in spacings, and in squared spacings. What is left should be little beside
    /// what the spacing costs.
    pub(crate) edge: f64,
    pub(crate) edge_squared: f64,
    /// How far a loss may be from a point, in spacings, and be taken for there: the points move by as much.
    pub(crate) on_point: f64,
    /// How far an edge must be from the next point, and how far from half-way it may be where cells are narrow, in spacings.
    pub(crate) nearest_edge: f64,
    pub(crate) farthest_edge: f64,
    /// How many points to either side an outcome between two points may be made up for.
    pub(crate) reach: i64,
    /// The mass of a stretch is a sum of pieces up to so many; beyond it is taken as a whole, if that is possible, or of at most so many.
    pub(crate) few_pieces: f64,
    pub(crate) most_pieces: f64,

    // Enumeration.
    /// The most outcomes; so few are always worth it.
    pub(crate) most_outcomes: f64,
    pub(crate) few_outcomes: f64,
    pub(crate) outcome_cost: f64,
    /// The part of the tolerance that its error may be.
    pub(crate) enumeration_error: f64,

    // Work on the grid.
    pub(crate) cell_cost: f64,
    /// Of a point of a transform, for each level.
    pub(crate) transform_cost: f64,
    /// After so many different parts few bins are left to transform to.
    pub(crate) transformed_parts: usize,
    /// What a mass, or a bin, takes in an exponential sum: in points of a transform.
    pub(crate) sum_cost: usize,
    /// A law of at most so many bins is not transformed back, nor if the window has fewer points for each of them: every answer adds all.
    pub(crate) most_waves: usize,
    pub(crate) points_per_wave: usize,
    /// Bins whose power is below this are not summed directly; nor if that takes more products.
    pub(crate) smallest_power: f64,
    pub(crate) most_direct_products: usize,
    /// From so many parts on there are two threads, laws made so many at a time, and interpolated cumulants.
    pub(crate) many_parts: usize,
    /// Two threads have a product each once one bin in so many is left.
    pub(crate) split_bins: usize,
    /// How many arrays are kept for the next composition, and the most numbers of each.
    pub(crate) kept_arrays: usize,
    pub(crate) kept_numbers: usize,

    // Groups.
    /// From so many parts on.
    pub(crate) parts_for_groups: usize,
    /// The spacing must become so many times as wide, for this part of the work.
    pub(crate) group_gain: f64,
    pub(crate) group_work: f64,
    /// What a product of two outcomes costs, and the most of them.
    pub(crate) product_cost: f64,
    pub(crate) most_products: f64,
    /// What atoms must cost for their part to be in a group, beside the square of the spacing.
    pub(crate) atoms_for_groups: f64,
    /// The most outcomes of a part in a group, and the most parts of a group.
    pub(crate) most_in_part: f64,
    pub(crate) most_in_group: usize,
    /// A sample takes no more than one part in so many of the work for all groups.
    pub(crate) fewest_sampled: f64,
    /// How close outcomes of a group should be, in spacings; bins per spacing; the most bins.
    pub(crate) close_outcomes: f64,
    pub(crate) bins_per_spacing: f64,
    pub(crate) most_bins: f64,
    /// The variance that cells of a density may take from one use, in squared spacings; the most cells.
    pub(crate) lost_variance: f64,
    pub(crate) most_cells: f64,

    // Refinement.
    /// The most times that a grid is made finer after its width was seen, and by how much finer than the width says.
    pub(crate) refinements: usize,
    pub(crate) refined: f64,
    /// The tolerance that is tried first where a composition may not matter, and the part of what is expected to lie between two compositions.
    pub(crate) coarse_tolerance: f64,
    pub(crate) below_ceiling: f64,
}

/// What the engine runs with.
pub(crate) const TUNING: Tuning = Tuning {
    gap_share: 0.58,
    safe_gap_share: 0.49,
    slow_to_refine: 256,
    negligible: 0.01,
    wide_cells_share: 0.03,
    widest_cell: 0.5,

    points_per_deviation: 4.0,
    fewest_points: 64,
    most_points: 4000,
    most_points_of_all: 64_000,
    points_of_tails: 240,
    order_ratio: 1.1,

    tilt_ratio: 0.88,
    tilts: 5,
    round_off_growth: 100.0,
    shortest_window: 64,
    rounded_down: 1.15,

    heavy_atom: 10.0,
    places: 8,
    few_cells: 8192,
    most_tails: 50_000,
    merged_width: 0.25,
    merged_zones: [2, 5],
    listed_atoms: 1200,

    edge: 1e-7,
    edge_squared: 1e-3,
    on_point: 1e-6,
    nearest_edge: 0.05,
    farthest_edge: 0.25,
    reach: 512,
    few_pieces: 4.0,
    most_pieces: 65_536.0,

    most_outcomes: 131_072.0,
    few_outcomes: 2048.0,
    outcome_cost: 100.0,
    enumeration_error: 0.1,

    cell_cost: 100.0,
    transform_cost: 0.5,
    transformed_parts: 32,
    sum_cost: 8,
    most_waves: 1024,
    points_per_wave: 32,
    smallest_power: 1e-10,
    most_direct_products: 4_000_000,
    many_parts: 16,
    split_bins: 4,
    kept_arrays: 2,
    kept_numbers: 1 << 20,

    parts_for_groups: 12,
    group_gain: 2.0,
    group_work: 0.6,
    product_cost: 2.5,
    most_products: 5e8,
    atoms_for_groups: 0.25,
    most_in_part: 4096.0,
    most_in_group: 24,
    fewest_sampled: 6.0,
    close_outcomes: 0.5,
    bins_per_spacing: 4.0,
    most_bins: 4e6,
    lost_variance: 0.02,
    most_cells: 16_384.0,

    refinements: 2,
    refined: 0.85,
    coarse_tolerance: 0.03,
    below_ceiling: 0.6,
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

    /// How close an edge is brought to its point, in spacings.
    pub(crate) fn edge_of(&self, spacing: f64) -> f64 {
        self.edge.min(self.edge_squared * spacing)
    }
}
