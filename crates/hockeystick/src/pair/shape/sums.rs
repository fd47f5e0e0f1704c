//! Running sums over sorted outcomes, so that a question takes a search instead of a sum.

use crate::pair::Atom;
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::{Claim, check, claim},
};
use std::{ops::Range, sync::OnceLock};

/// Steps of the loss below this shrink a sum by `1 − (1 − e^{−step})`, whose error is relative to the step.
const SHORT_STEP: f64 = 0.5;

/// What is known of outcomes at once, and sums over them once they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// The smallest and the largest loss, 0 if there is none.
    pub(super) ends: (Enclosure, Enclosure),
    /// `Σ p` and `Σ q`.
    pub(super) whole_p: Enclosure,
    pub(super) whole_q: Enclosure,
    running: OnceLock<Running>,
}

impl Sums {
    /// Sums over outcomes that are sorted by the midpoint of their losses.
    pub(super) fn over(atoms: &[Atom]) -> Self {
        let whole = |mass: &dyn Fn(&Atom) -> Enclosure| {
            let sum = atoms.iter().rev().fold(Ball::ZERO, |sum, atom| sum + Ball::from(mass(atom)));
            sum.enclosure().clamp(0.0, f64::INFINITY)
        };
        Self {
            ends: ends(atoms),
            whole_p: whole(&|atom| atom.p),
            whole_q: whole(&|atom| atom.q),
            running: OnceLock::new(),
        }
    }

    /// Sums over the same outcomes.
    pub(super) fn running(&self, atoms: &[Atom]) -> &Running {
        self.running.get_or_init(|| Running::over(atoms))
    }
}

fn ends(atoms: &[Atom]) -> (Enclosure, Enclosure) {
    let (Some(first), Some(last)) = (atoms.first(), atoms.last()) else {
        return (Enclosure::ZERO, Enclosure::ZERO);
    };
    let losses = || atoms.iter().map(|atom| atom.loss.enclosure());
    let lowest = losses().map(|loss| loss.lower()).fold(f64::INFINITY, f64::min);
    let highest = losses().map(|loss| loss.upper()).fold(f64::NEG_INFINITY, f64::max);
    (
        Enclosure::new(lowest, first.loss.enclosure().upper()),
        Enclosure::new(last.loss.enclosure().lower(), highest),
    )
}

/// Sums over the outcomes `i ≥ j` ("above") and `i < j` ("below"), for `j = 0 … n`.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// `Σ p` and `Σ q`.
    pub(super) above_p: Vec<Enclosure>,
    pub(super) above_q: Vec<Enclosure>,
    pub(super) below_p: Vec<Enclosure>,
    pub(super) below_q: Vec<Enclosure>,
    /// `Σ p(1 − e^{a_j − L})` above, where `a_j` is the double nearest to the `j`th loss.
    excess: Vec<Enclosure>,
    /// `Σ p·e^{a_j − L}` above.
    shrunk: Vec<Enclosure>,
    /// The largest upper end of the losses up to `j`, and the smallest lower end from `j` on.
    highest: Vec<f64>,
    lowest: Vec<f64>,
    _claim: Claim,
}

impl Running {
    /// Sums over outcomes that are sorted by the midpoint of their losses.
    ///
    /// With `f = 1 − e^{a_j − a_{j+1}} ≥ 0`, the excess obeys `S_j = p_j(1 − e^{a_j − L_j}) + f·T_{j+1} + (1 − f)S_{j+1}`
    /// where `T` is the sum of `p`: all terms are positive, but for the first, which is as small as `a_j − L_j`. Kept to
    /// 106 bits, the sums have the relative error of their terms, however many there are.
    pub(super) fn over(atoms: &[Atom]) -> Self {
        check();
        let claim = claim::<[f64; 14]>(atoms.len());
        let mut highest: Vec<f64> = atoms.iter().map(|atom| atom.loss.enclosure().upper()).collect();
        for j in 1..highest.len() {
            highest[j] = highest[j].max(highest[j - 1]);
        }
        let mut lowest: Vec<f64> = atoms.iter().map(|atom| atom.loss.enclosure().lower()).collect();
        for j in (1..lowest.len()).rev() {
            lowest[j - 1] = lowest[j - 1].min(lowest[j]);
        }
        let (excess, shrunk) = weighted(atoms);
        Self {
            above_p: reversed(running(atoms.iter().rev().map(|atom| atom.p))),
            above_q: reversed(running(atoms.iter().rev().map(|atom| atom.q))),
            below_p: running(atoms.iter().map(|atom| atom.p)),
            below_q: running(atoms.iter().map(|atom| atom.q)),
            excess,
            shrunk,
            highest,
            lowest,
            _claim: claim,
        }
    }

    /// The outcomes that cannot be told from `epsilon`: those before have `L ≤ ε` for certain, those after `L > ε`.
    pub(super) fn near(&self, atoms: &[Atom], epsilon: Ball) -> Range<usize> {
        let ends = epsilon.enclosure();
        let mut from = self.highest.partition_point(|&upper| upper <= ends.lower());
        let mut to = self.lowest.partition_point(|&lower| lower <= ends.upper());
        // Doubles cannot tell what balls can.
        while from < to && (atoms[from].loss - epsilon).enclosure().upper() <= 0.0 {
            from += 1;
        }
        while from < to && (atoms[to - 1].loss - epsilon).enclosure().lower() > 0.0 {
            to -= 1;
        }
        from..to
    }

    /// `Σ p(1 − e^{ε − L})` over the outcomes from `from` on: with `x = ε − a`, `(1 − e^x)·T + e^x·S`.
    pub(super) fn excess_over(&self, atoms: &[Atom], from: usize, epsilon: Ball) -> Enclosure {
        let Some(first) = atoms.get(from) else { return Enclosure::ZERO };
        let x = epsilon - Ball::from(first.loss.approximate());
        self.above_p[from] * -x.exp_m1_enclosure() + x.exp_enclosure() * self.excess[from]
    }

    /// `Σ p·e^{ε − L}` over the outcomes from `from` on.
    pub(super) fn shrunk_over(&self, atoms: &[Atom], from: usize, epsilon: Ball) -> Enclosure {
        let Some(first) = atoms.get(from) else { return Enclosure::ZERO };
        (epsilon - Ball::from(first.loss.approximate())).exp_enclosure() * self.shrunk[from]
    }
}

/// The sums of the first 0, 1, 2, … terms, added to 106 bits.
fn running(terms: impl ExactSizeIterator<Item = Enclosure>) -> Vec<Enclosure> {
    let mut sums = Vec::with_capacity(terms.len() + 1);
    let mut sum = Ball::ZERO;
    sums.push(Enclosure::ZERO);
    sums.extend(terms.map(|term| {
        sum = sum + Ball::from(term);
        sum.enclosure().clamp(0.0, f64::INFINITY)
    }));
    sums
}

fn reversed(mut sums: Vec<Enclosure>) -> Vec<Enclosure> {
    sums.reverse();
    sums
}

/// The excess and the shrunk sum at every outcome, from the last to the first.
fn weighted(atoms: &[Atom]) -> (Vec<Enclosure>, Vec<Enclosure>) {
    let (mut total, mut excess, mut shrunk) = (Ball::ZERO, Ball::ZERO, Ball::ZERO);
    let mut above = None;
    let sums = atoms.iter().rev().map(|atom| {
        let anchor = Ball::from(atom.loss.approximate());
        if let Some(next) = above.replace(anchor) {
            let step = anchor - next;
            let lost = -Ball::from(step.exp_m1_enclosure());
            let kept = if step.approximate() > -SHORT_STEP {
                Ball::ONE - lost
            } else {
                Ball::from(step.exp_enclosure())
            };
            excess = lost * total + kept * excess;
            shrunk = kept * shrunk;
        }
        let p = Ball::from(atom.p);
        let beside = Ball::from((anchor - atom.loss).exp_m1_enclosure());
        total = total + p;
        excess = excess - beside * p;
        shrunk = shrunk + (Ball::ONE + beside) * p;
        (excess.enclosure(), shrunk.enclosure().clamp(0.0, f64::INFINITY))
    });
    let (excess, shrunk) = sums.unzip();
    (reversed(excess), reversed(shrunk))
}
