//! Which losses of one use matter, and how much.

use super::{
    super::{
        grid::LossRange,
        tuning::{STRIDES, TUNING, WIDTHS},
    },
    point_masses::PointMasses,
    saddle::{Estimate, Saddle},
};

impl Estimate {
    /// The share of one use that may be left out.
    pub(crate) fn share(&self, allowed: f64) -> f64 {
        TUNING.negligible * allowed / self.uses
    }

    /// The losses that matter of one use of each part: what is below and above has a [share](Self::share) each. Cells of w spacings cost
    /// w² times as much as those of one, so they are for outcomes that have at most `w⁻²` of `E e^{cL}`, times a small number.
    pub(crate) fn ranges(&self, saddle: Saddle, allowed: f64) -> Vec<LossRange> {
        let share = self.share(allowed);
        let rare: [f64; STRIDES] = WIDTHS.map(|width| TUNING.wide_cells_share / (width * width) as f64);
        let range = |law: &PointMasses| {
            let (rare_below, rare_above) = law.rare(saddle.tilt, rare);
            let (bottom, top) = (law.bottom(share), law.top(share * saddle.delta));
            LossRange { bottom, top, rare_below, rare_above }
        };
        self.cumulants.laws().map(range).collect()
    }
}
