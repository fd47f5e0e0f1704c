//! Parts composed outcome by outcome, and outcomes with nearly the same loss merged on the way.

use super::{
    super::{
        outcomes::{Atom, Outcomes},
        tuning::TUNING,
    },
    outcome_list::{Outcome, OutcomeList, TINY},
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{LN_ERROR_UNITS, exp, ln},
    vectorised::vectorised,
};

/// The largest relative error of a useful list.
const MOST_ERROR: f64 = 1e-6;

/// Outcomes of a composition, those with losses in the same bin as one.
///
/// # Guarantee
/// Each bin has the masses, under `P` and `Q`, of a set of outcomes of the composition, but for the relative error, or more under `Q`; no two
/// share any. Which outcomes a bin has is decided in plain floats, for whatever is merged or left out, it is post-processing.
#[derive(Clone, Debug)]
pub(crate) struct Binned {
    /// The width of a bin.
    width: f64,
    /// The index of the first bin.
    first: i64,
    /// The masses of the bins, between two empty ones.
    p: Vec<f64>,
    q: Vec<f64>,
    /// Where in its bin the merged loss is, from 0 to 1.
    places: Vec<f64>,
    error: f64,
    /// About `log E e^{cL}`.
    log_moment: f64,
    /// How many products of outcomes it took.
    pub(crate) products: f64,
}

/// How finely outcomes are merged, and which are left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binning {
    /// The width of a bin.
    pub(crate) width: f64,
    /// The law matters under this tilt.
    pub(crate) tilt: f64,
    /// How much of it may be left out at either end, per part.
    pub(crate) share: f64,
    /// How many products of outcomes that may take.
    pub(crate) most_products: f64,
}

impl Binning {
    /// All parts, each of them once. `None` if that takes too many bins of that width, or too many products.
    pub(crate) fn of(&self, parts: &[OutcomeList]) -> Option<Binned> {
        let mut binned = Binned {
            width: self.width,
            first: 0,
            p: vec![0.0, 1.0, 0.0],
            q: vec![0.0, 1.0, 0.0],
            places: vec![0.0; 3],
            error: 0.0,
            log_moment: 0.0,
            products: 0.0,
        };
        let mut order: Vec<&OutcomeList> = parts.iter().collect();
        // The longest list first: there is little to multiply it with.
        order.sort_by_key(|list| std::cmp::Reverse(list.outcomes.len()));
        for list in order {
            binned.products += binned.len() as f64 * list.outcomes.len() as f64;
            if binned.products > self.most_products {
                return None;
            }
            binned = binned.and(list)?;
            binned.log_moment += list.tilted(self.tilt).log_moment;
            binned.trim(self);
        }
        (binned.error < MOST_ERROR).then_some(binned)
    }
}

impl Binned {
    fn len(&self) -> usize {
        self.p.len() - 2
    }

    /// Every outcome with every outcome of one more part.
    ///
    /// An outcome goes to the bin of the sum of both losses, which is one of two next to each other. A bin gets at most two products from
    /// each outcome of the part: an addition, a product and an addition to what is there.
    fn and(&self, part: &OutcomeList) -> Option<Self> {
        let shift = |one: &Outcome| (one.loss / self.width).floor();
        let least = part.outcomes.iter().map(shift).fold(f64::INFINITY, f64::min);
        let most = part.outcomes.iter().map(shift).fold(f64::NEG_INFINITY, f64::max);
        let bins = self.len() as f64 + (most - least) + 1.0;
        // (Not if there are no outcomes, nor if there is one that is no number.)
        if !(bins <= TUNING.most_bins && least.abs() <= 1e15) {
            return None;
        }
        let mut p = vec![0.0; bins as usize + 2];
        let mut q = p.clone();
        for one in &part.outcomes {
            let from = 1 + (shift(one) - least) as usize;
            let carried_from = 1.0 - (one.loss / self.width - shift(one));
            self.spread(one, carried_from, &mut p[from..], &mut q[from..]);
        }
        for (p, q) in p.iter_mut().zip(&mut q) {
            (*p, *q) = if *p < TINY { (0.0, 0.0) } else { (*p, q.max(TINY)) };
        }
        // What underflows is less than one in 10⁶⁰ of what is kept.
        let roundings = (part.outcomes.len() as f64 + 3.0) * UNIT_ROUNDOFF;
        let error = (self.error + part.error + roundings) * (1.0 + 1e-3);
        let mut sum =
            Self { first: self.first + least as i64, places: vec![0.0; p.len()], p, q, error, ..*self };
        sum.find_places();
        Some(sum)
    }

    /// Adds all bins times an outcome, moved up by one bin from those on that are not below `carried_from`.
    fn spread(&self, one: &Outcome, carried_from: f64, p: &mut [f64], q: &mut [f64]) {
        let bins = self.len() + 1;
        let (p, q) = (&mut p[..bins], &mut q[..bins]);
        let (below, own) = (&self.p[..bins], &self.p[1..=bins]);
        let (q_below, q_own) = (&self.q[..bins], &self.q[1..=bins]);
        let (place_below, place) = (&self.places[..bins], &self.places[1..=bins]);
        let (one_p, one_q) = (one.p, one.q);
        vectorised(
            #[inline(always)]
            || {
                for i in 0..bins {
                    let (is_carried, stays) = (place_below[i] >= carried_from, place[i] < carried_from);
                    let mass = if is_carried { below[i] } else { 0.0 } + if stays { own[i] } else { 0.0 };
                    let q_mass =
                        if is_carried { q_below[i] } else { 0.0 } + if stays { q_own[i] } else { 0.0 };
                    p[i] += mass * one_p;
                    q[i] += q_mass * one_q;
                }
            },
        );
    }

    /// Where in its bin every loss is: with `r = e^{iw}q/p` at the bin i it is `−log r/w`, and r is next to 1.
    fn find_places(&mut self) {
        let step = exp(self.width);
        let mut rise = exp(self.width * self.first as f64);
        let bins = self.p.iter().zip(&self.q).zip(&mut self.places).skip(1);
        for ((p, q), place) in bins {
            let fall = 1.0 - rise * q / p;
            let found = fall * (1.0 + 0.5 * fall) / self.width;
            // (0 if it is no number.)
            *place = if found > 0.0 { found.min(1.0 - 1e-9) } else { 0.0 };
            rise *= step;
        }
    }

    /// Leaves out bins at both ends that matter neither under the tilt nor without it: where a rare loss of another part decides, this one has
    /// typical ones.
    fn trim(&mut self, Binning { tilt, share, .. }: &Binning) {
        let weight = |i: usize| {
            let loss = self.width * (self.first + i as i64 - 1) as f64;
            self.p[i] * exp((tilt * loss - self.log_moment).max(0.0))
        };
        let faint = |bins: &mut dyn Iterator<Item = usize>| {
            let mut sum = 0.0;
            bins.take_while(|i| {
                sum += weight(*i);
                sum <= *share
            })
            .count()
        };
        let below = faint(&mut (1..self.len()));
        let above = faint(&mut (1 + below + 1..=self.len()).rev());
        let end = self.p.len() - above;
        for bins in [&mut self.p, &mut self.q, &mut self.places] {
            bins.truncate(end);
            bins.drain(..below);
        }
        self.first += below as i64;
        for bins in [&mut self.p, &mut self.q] {
            bins[0] = 0.0;
            if let Some(last) = bins.last_mut() {
                *last = 0.0;
            }
        }
    }

    /// How far a loss is from the next, on average under the tilt.
    pub(crate) fn gap(&self, tilt: f64) -> f64 {
        let bins = (1..=self.len()).filter(|i| self.p[*i] > 0.0);
        let loss = |i: usize| self.width * ((self.first + i as i64 - 1) as f64 + self.places[i]);
        let (mut gaps, mut weights, mut before) = (0.0, 0.0, None);
        for i in bins {
            let weight = self.p[i] * exp(tilt * loss(i) - self.log_moment);
            let gap = before.map_or(0.0, |before| loss(i) - loss(before));
            (gaps, weights, before) = (gaps + weight * gap, weights + weight, Some(i));
        }
        gaps / weights
    }

    /// As atoms.
    ///
    /// # Guarantee
    /// Their losses and masses enclose those of the merged outcomes.
    pub(crate) fn outcomes(&self) -> Outcomes {
        let bins = self.p.iter().zip(&self.q).filter(|(p, _)| **p > 0.0);
        let mut atoms: Vec<Atom> = bins
            .map(|(&p, &q)| {
                let loss = ln(p / q);
                // Both masses are off; the ratio, the logarithm and the ends are rounded.
                let off = 2.0 * self.error * (1.0 + self.error)
                    + ((LN_ERROR_UNITS + 1.0) * loss.abs() + 4.0) * UNIT_ROUNDOFF * (1.0 + 1e-3);
                let error = self.error * (1.0 + 2.0 * self.error) + 2.0 * UNIT_ROUNDOFF;
                Atom::one(
                    Enclosure::new(loss - off, loss + off),
                    Enclosure::new(p * (1.0 - error), p * (1.0 + error)),
                )
            })
            .collect();
        atoms.sort_by(|a, b| a.loss.upper().total_cmp(&b.loss.upper()));
        Outcomes { stretches: Vec::new(), atoms, missing: 0.0 }
    }
}
