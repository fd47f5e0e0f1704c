//! The relevant losses of one use.

use super::{
    super::{
        grid::LossRange,
        tuning::{STRIDES, TUNING, WIDTHS},
    },
    point_masses::PointMasses,
    saddle::{Estimate, Saddle},
};

impl Estimate {
    /// The probability that may be truncated from one use, on either side.
    pub(crate) fn share(&self, allowed: f64) -> f64 {
        TUNING.negligible * allowed / self.uses
    }

    /// The range of losses of one use of each part; the tails beyond it have at most the [share](Self::share). Cells of w spacings cost w² times
    /// as much, so they are used where outcomes contribute at most a small multiple of `w⁻²` to `E e^{cL}`.
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
