//! A line for each scale of losses, from the largest on.
//!
//! Where rare large losses and many tiny ones both matter, one line would have to resolve the tiny ones at the tilt of the large ones, which
//! takes millions of points. So outcomes with a loss above a cut are integrated by themselves, then those above the next cut, until one
//! line serves what is left, or too little is left to matter.

use super::{Line, Outline, Piece, Remainder};
use crate::engine::contour::{
    factors::Factors,
    line::{ComposedLine, Exactness, Integral},
    search::{Aim, Planned, ScaleTable, best_line, saddle},
    target::Target,
    tuning::TUNING,
};
use hockeystick_numerics::{
    limits::check,
    special::{exp, ln},
};

/// Outcomes with a loss in a range, on a line of their own.
#[derive(Debug)]
struct Slice {
    largest_loss: f64,
    line: ComposedLine,
}

impl Piece for Slice {
    fn contribution(&self, epsilon: f64) -> Integral {
        self.line.integral(epsilon)
    }

    fn width_without_sum(&self, epsilon: f64) -> f64 {
        self.line.width_without_sum(epsilon)
    }

    fn outline(&self) -> Outline {
        Outline::Slice { largest_loss: self.largest_loss, line: self.line.plan }
    }
}

/// The pieces of a composition cut at decreasing losses; `None` if it cannot be cut, or if a piece has no line.
///
/// Losses too rare to matter are left out, and with them the jumps that they cause in `K`. Cuts are `sharper` steps sharper than the tilts
/// of the slices require.
pub(crate) fn cut(
    factors: &Factors,
    table: &ScaleTable,
    target: Target,
    sharper: u8,
) -> Option<Vec<Box<dyn Piece>>> {
    let slicing = Slicing::new(factors, table, target, sharper)?;
    let mut left = factors.without_rare(slicing.log_negligible, slicing.relative_spread)?;
    let mut pieces: Vec<Box<dyn Piece>> = vec![Box::new(Remainder::of_mass(left.log_cut_off()?))];
    let mut at = 0;
    loop {
        check();
        if let Some(last) = slicing.last(&left, at) {
            pieces.push(last);
            break;
        }
        let Some(Sliced { slice, below, to }) = slicing.slice(&left, at) else {
            pieces.push(slicing.as_it_is(&left, at)?);
            break;
        };
        pieces.push(Box::new(slice));
        pieces.push(Box::new(Remainder::of_mass(below.log_beyond_ends()?)));
        (left, at) = (below, to);
    }
    Some(pieces)
}

/// The parameters of the cutting.
struct Slicing<'a> {
    factors: &'a Factors,
    table: &'a ScaleTable,
    target: Target,
    /// What may be left out, as a logarithm.
    log_negligible: f64,
    relative_spread: f64,
    /// The relative width of δ that one piece may use.
    share: f64,
}

/// A slice, what is left below it, and the number of the cut between them.
struct Sliced {
    slice: Slice,
    below: Factors,
    to: usize,
}

impl<'a> Slicing<'a> {
    fn new(factors: &'a Factors, table: &'a ScaleTable, target: Target, sharper: u8) -> Option<Self> {
        let log_negligible = target.log_delta + ln(target.needed) - TUNING.log_below_needed;
        let smoothest = table
            .tilted_cuts(target.epsilon, log_negligible, target.log_delta + TUNING.log_unimportant)
            .map(|(loss, tilt)| factors.relative_spread_for(loss, TUNING.gain_of_cut / tilt))
            .fold(TUNING.widest_spread, f64::min)
            .max(TUNING.usual_spread);
        let relative_spread = smoothest * TUNING.spread_ratio.powi(i32::from(sharper));
        // Cuts that are already the sharpest are not made sharper: that would repeat the recipe before.
        let is_new = relative_spread > TUNING.least_spread * TUNING.spread_ratio;
        let relative_spread = relative_spread.max(TUNING.least_spread);
        let share = TUNING.share_of_slice * target.needed;
        is_new.then_some(Self { factors, table, target, log_negligible, relative_spread, share })
    }

    /// The last piece, for everything below a cut: a remainder if that is negligible, or one line. `None` if it should be cut again.
    fn last(&self, left: &Factors, at: usize) -> Option<Box<dyn Piece>> {
        let (table, Target { epsilon, log_delta, .. }) = (self.table, self.target);
        let (together, tilt) = table.below(at, epsilon, f64::INFINITY);
        if at > 0 && (together < self.log_negligible || table.is_last(tilt)) {
            // The last remainder may be larger than the others, half a share: that saves a line.
            let enough = [self.log_negligible, log_delta + ln(0.5 * self.share)];
            if let Some(rest) = enough.into_iter().find_map(|log| Remainder::at_most(left, epsilon, log)) {
                return Some(Box::new(rest));
            }
        }
        let is_lowest = at == table.cuts().len() - 1;
        let much = TUNING.gain_of_cut / TUNING.gain_of_lambda * self.most_tilt(at);
        let is_one_scale = if tilt < much {
            together < table.apart(at, usize::MAX, epsilon) + TUNING.loss_of_digits
        } else {
            table.below(at, epsilon, much).0 < log_delta + TUNING.log_unimportant
        };
        let is_resolved = table.resolution(at, tilt.min(much)) < TUNING.far_up;
        if !(is_lowest || is_one_scale && is_resolved) {
            return None;
        }
        let longest = if is_lowest { TUNING.longest_slice } else { TUNING.long_slice };
        let planned = self.planned(left, at, tilt, longest)?;
        self.line_of_rest(left, planned)
    }

    /// The last piece where no further slice can be cut off: a remainder if it fits a share, or a line of up to `longest_slice` points.
    fn as_it_is(&self, left: &Factors, at: usize) -> Option<Box<dyn Piece>> {
        let Target { epsilon, log_delta, .. } = self.target;
        if at > 0
            && let Some(rest) = Remainder::at_most(left, epsilon, log_delta + ln(self.share))
        {
            return Some(Box::new(rest));
        }
        let (_, tilt) = self.table.below(at, epsilon, f64::INFINITY);
        let planned = self.planned(left, at, tilt, TUNING.longest_slice)?;
        self.line_of_rest(left, planned)
    }

    fn line_of_rest(&self, left: &Factors, planned: Planned) -> Option<Box<dyn Piece>> {
        // Below the last cut M is near 1, so that direct sums would lose digits by cancellation.
        let line = Line::drawn(left, planned, self.exactness(TUNING.direct_uses_below_cuts))?;
        self.is_narrow(line.contribution(self.target.epsilon)).then(|| Box::new(line) as Box<dyn Piece>)
    }

    /// Cuts off a slice as wide as one line can serve, with its cuts some spreads apart. `None` if no line is narrow enough.
    fn slice(&self, left: &Factors, at: usize) -> Option<Sliced> {
        let cuts = self.table.cuts();
        let last = cuts.len() - 1;
        let nearest = (at + 1..=last)
            .find(|&to| left.can_be_split(cuts[to], self.log_negligible, self.relative_spread))?;
        let farthest = last.min(at + TUNING.cuts_of_slice).max(nearest);
        let mut to = (nearest..farthest).find(|&to| !self.is_one_scale(at, to + 1)).unwrap_or(farthest);
        loop {
            let (below, hits) = left.split(cuts[to], self.log_negligible, self.relative_spread)?;
            if let Some(line) = self.line_of_slice(&hits, at, to) {
                return Some(Sliced { slice: Slice { largest_loss: cuts[at], line }, below, to });
            }
            if to == nearest {
                return None;
            }
            to = nearest.max(at + (to - at) / 2);
        }
    }

    /// Is the estimate for all losses between two cuts no larger than those for each scale of them, so that one tilt serves all?
    fn is_one_scale(&self, at: usize, to: usize) -> bool {
        let (table, Target { epsilon, log_delta, .. }) = (self.table, self.target);
        let least = log_delta + TUNING.log_unimportant;
        let much = self.much_tilt(at);
        let (together, tilt) = table.between(at, to, epsilon, f64::INFINITY);
        if tilt < much {
            together.max(least) < table.apart(at, to, epsilon).max(least) + TUNING.loss_of_digits
        } else {
            table.between(at, to, epsilon, much).0 < least
        }
    }

    fn line_of_slice(&self, hits: &Factors, at: usize, to: usize) -> Option<ComposedLine> {
        let (_, tilt) = self.table.between(at, to, self.target.epsilon, self.much_tilt(at));
        let Planned { line, envelope } = self.planned(hits, at, tilt, TUNING.longest_slice)?;
        let line = ComposedLine::new(hits, envelope, line, self.exactness(f64::INFINITY))?;
        self.is_narrow(line.integral(self.target.epsilon)).then_some(line)
    }

    fn exactness(&self, most_direct: f64) -> Exactness {
        let usual = Exactness::of(self.target.needed);
        Exactness { most_direct: usual.most_direct.min(most_direct), ..usual }
    }

    /// Plans a line for what is below a cut, near the tilt given. `None` if it has more than `longest` points, or if its expected width is
    /// too large for its share.
    fn planned(&self, factors: &Factors, cut: usize, tilt: f64, longest: usize) -> Option<Planned> {
        let most_tilt = self.most_tilt(cut);
        let gain = if factors.hits.is_some() { TUNING.gain_of_slice } else { TUNING.gain_of_cut };
        let most = gain / TUNING.gain_of_lambda * most_tilt;
        let saddle = saddle::find_near(factors, self.target.epsilon, tilt)?.up_to(most, self.target.epsilon);
        let planned = best_line::plan(
            factors,
            &saddle,
            Aim::part(self.target.needed, self.target.log_delta, most_tilt),
        );
        let is_fine = planned.line.expected_width <= TUNING.part_expected * self.share;
        (is_fine && planned.line.points <= longest).then_some(planned)
    }

    /// The largest λ: beyond it, `e^{λL}` outgrows the weight before the end of a cut.
    fn most_tilt(&self, cut: usize) -> f64 {
        TUNING.gain_of_lambda / self.factors.gain(self.table.cuts()[cut], self.relative_spread)
    }

    /// The largest tilt for the line of a slice.
    fn much_tilt(&self, cut: usize) -> f64 {
        TUNING.gain_of_slice / TUNING.gain_of_lambda * self.most_tilt(cut)
    }

    /// Is the width small relative to δ, or relative to the piece itself?
    fn is_narrow(&self, found: Integral) -> bool {
        let Target { log_delta, needed, .. } = self.target;
        found.bounds.width() <= exp(log_delta) * needed || found.relative_width() <= needed
    }
}
