//! Composition of outcome lists, with outcomes merged into bins of their loss.

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

/// The largest acceptable relative error of the masses.
const MOST_ERROR: f64 = 1e-6;

/// Outcomes of a composition, merged by bin.
///
/// # Guarantee
/// Bins hold disjoint sets of outcomes, with their masses under `P` and `Q` up to the relative error; the mass under `Q` may be larger. The sets
/// are chosen in plain floats: merging and dropping outcomes is post-processing, whichever they are.
#[derive(Clone, Debug)]
pub(crate) struct Binned {
    /// The width of a bin.
    width: f64,
    /// The index of the first bin.
    first: i64,
    /// The masses of the bins, with an empty bin at either end.
    p: Vec<f64>,
    q: Vec<f64>,
    /// The position of the merged loss within its bin, in [0, 1).
    places: Vec<f64>,
    error: f64,
    /// About `log E e^{cL}`.
    log_moment: f64,
    /// The number of products of outcomes that were computed.
    pub(crate) products: f64,
}

/// The width of bins, and which outcomes are dropped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binning {
    /// The width of a bin.
    pub(crate) width: f64,
    /// The tilt of the composition.
    pub(crate) tilt: f64,
    /// The share of the tilted law that may be dropped at either end, per part.
    pub(crate) share: f64,
    /// The limit on products of outcomes.
    pub(crate) most_products: f64,
}

impl Binning {
    /// The composition of all parts, each used once. `None` if that exceeds the limits on bins or products.
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
        // The longest list first, while there are few bins to multiply it with.
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

    /// The composition with one more part.
    ///
    /// The product of two outcomes goes to the bin of the sum of their losses, one of two neighbouring bins. Each outcome of the part adds at
    /// most two products to a bin: one addition, one product and one accumulation, so three roundings.
    fn and(&self, part: &OutcomeList) -> Option<Self> {
        let shift = |one: &Outcome| (one.loss / self.width).floor();
        let least = part.outcomes.iter().map(shift).fold(f64::INFINITY, f64::min);
        let most = part.outcomes.iter().map(shift).fold(f64::NEG_INFINITY, f64::max);
        let bins = self.len() as f64 + (most - least) + 1.0;
        // (False for NaN, and without outcomes.)
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
        // Underflow removes less than 10⁻⁶⁰ of what is kept.
        let roundings = (part.outcomes.len() as f64 + 3.0) * UNIT_ROUNDOFF;
        let error = (self.error + part.error + roundings) * (1.0 + 1e-3);
        let mut sum =
            Self { first: self.first + least as i64, places: vec![0.0; p.len()], p, q, error, ..*self };
        sum.find_places();
        Some(sum)
    }

    /// Adds all bins times an outcome. Losses at a position of at least `carried_from` carry into the next bin.
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

    /// The position of each loss in its bin i: `−log r/w` with `r = e^{iw}q/p`, which is close to 1.
    fn find_places(&mut self) {
        let step = exp(self.width);
        let mut rise = exp(self.width * self.first as f64);
        let bins = self.p.iter().zip(&self.q).zip(&mut self.places).skip(1);
        for ((p, q), place) in bins {
            let fall = 1.0 - rise * q / p;
            let found = fall * (1.0 + 0.5 * fall) / self.width;
            // (0 for NaN.)
            *place = if found > 0.0 { found.min(1.0 - 1e-9) } else { 0.0 };
            rise *= step;
        }
    }

    /// Drops bins at both ends that are negligible with and without the tilt: if a rare loss of another part dominates, this one has typical
    /// losses.
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

    /// The mean distance of neighbouring losses under the tilt.
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

    /// The bins as atoms.
    ///
    /// # Guarantee
    /// Their losses and masses enclose those of the merged outcomes.
    pub(crate) fn outcomes(&self) -> Outcomes {
        let bins = self.p.iter().zip(&self.q).filter(|(p, _)| **p > 0.0);
        let mut atoms: Vec<Atom> = bins
            .map(|(&p, &q)| {
                let loss = ln(p / q);
                // The errors of both masses, and the roundings of ratio, logarithm and ends.
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
