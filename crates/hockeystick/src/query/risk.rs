//! What an attacker can do: trade-off curve, advantage, detection rate, belief.

use super::{Curves, arguments::check};
use crate::{
    curve::{
        HockeyStick, TradeOff,
        conversion::{BothWays, HockeyStickToTradeOff, NearbyTests, hockey_stick_to_power},
    },
    error::Error,
    mechanism::Relation,
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

impl Curves<'_> {
    /// `f(x)`: the least chance of missing a record for any test that accuses wrongly with probability at most `x`.
    ///
    /// With both directions it is the largest symmetric trade-off function for which the mechanism is f-DP,
    /// `f(x) = sup_{ε ≥ 0} max(1 − δ(ε) − e^ε x, e^{−ε}(1 − δ(ε) − x))` with the larger `δ` of the two directions. That is
    /// the convex hull of the smaller of `T[P, Q]` and `T[Q, P]`. [Zhu22, Lemma 21] takes one direction for both, which
    /// is true of symmetric mechanisms only. With one direction it is `T[Q, P]` of its pair `(P, Q)`.
    ///
    /// # Guarantee
    /// Encloses the truth.
    pub fn trade_off(&self, false_positive_rate: f64) -> Result<Probability, Error> {
        check_rate(false_positive_rate)?;
        let curve = self.asked();
        let missed = HockeyStickToTradeOff(&curve.reversed()).trade_off(false_positive_rate).value();
        let detected = hockey_stick_to_power(&curve, false_positive_rate);
        Ok(Probability::from_both(missed, detected))
    }

    /// The same in a sweep: the search begins where the last ones ended, so that rates in order take a hundredth of the time. `nearby` is
    /// empty at first, and always used with these curves.
    ///
    /// # Guarantee
    /// Encloses the truth. The ends may differ from those of [`trade_off`](Self::trade_off) in the last digits.
    pub fn trade_off_near(
        &self,
        false_positive_rate: f64,
        nearby: &mut NearbyTests,
    ) -> Result<Probability, Error> {
        check_rate(false_positive_rate)?;
        let curve = self.asked();
        let swapped = curve.reversed();
        let missed = || HockeyStickToTradeOff(&swapped).trade_off(false_positive_rate).value();
        let both = BothWays { curve: &curve, swapped: &swapped };
        Ok(nearby.power(&both, false_positive_rate, missed).opposite())
    }

    /// The largest true positive rate of an attack with this false positive rate: `1 − f(x)`.
    ///
    /// # Guarantee
    /// Encloses the truth.
    pub fn true_positive_rate(&self, false_positive_rate: f64) -> Result<Probability, Error> {
        self.trade_off(false_positive_rate).map(Probability::opposite)
    }

    /// What the reader should know about how the question of an attack was taken.
    pub fn notes_on_attacks(&self) -> Vec<String> {
        of_attacks(self.relation()).map(str::to_owned).into_iter().chain(self.notes()).collect()
    }

    /// The membership advantage, the largest `TPR − FPR` of any attack: `δ(0)`, the total variation distance.
    ///
    /// # Guarantee
    /// Encloses the truth.
    pub fn advantage(&self) -> Probability {
        self.delta(0.0)
    }

    /// What an attacker may believe after the most powerful attack with this false positive rate has found what it looks for,
    /// with the prior belief `π` that the record is in the data: `b·TPR/(b·TPR + (1 − b)·FPR)`.
    ///
    /// An attack looks for records in the data, and `b = π`; but with the relation `add` alone it looks for those that are not,
    /// since `P` is the output without the record: then `b = 1 − π`.
    ///
    /// # Guarantee
    /// Encloses the truth.
    pub fn belief(&self, prior: f64, false_positive_rate: f64) -> Result<Enclosure, Error> {
        check_prior(prior)?;
        let tpr = self.true_positive_rate(false_positive_rate)?.value();
        let present = Enclosure::point(prior);
        let prior = if self.relation() == Relation::Add { present.one_minus() } else { present };
        let wrong = prior.one_minus() * Enclosure::point(false_positive_rate);
        // Increasing in TPR, so end by end; with TPR = FPR = 0 nobody is ever accused and the prior stands.
        let at = |end: f64| {
            let right = prior * Enclosure::point(end);
            if (right + wrong).lower() > 0.0 { right / (right + wrong) } else { prior }
        };
        Ok(Enclosure::new(at(tpr.lower()).lower(), at(tpr.upper()).upper()).clamp(0.0, 1.0))
    }

    /// The largest probability of guessing right whether the record is in the data, with the prior belief `π`:
    /// `1 − π + π·H_{(1−π)/π}(P‖Q)`, with `P` the output with the record and `Q` the one without.
    ///
    /// # Guarantee
    /// Encloses the truth.
    pub fn accuracy(&self, prior: f64) -> Result<Enclosure, Error> {
        check_prior(prior)?;
        let odds = (Ball::ONE - Ball::from(prior)) / Ball::from(prior);
        let stick = self.presence().hockey_stick(odds.ln()).value();
        let prior = Enclosure::point(prior);
        Ok((prior.one_minus() + prior * stick).clamp(0.0, 1.0))
    }
}

/// What a false positive of an attack is, where it is not a record that is taken to be in the data although it is not.
fn of_attacks(relation: Relation) -> Option<&'static str> {
    match relation {
        Relation::AddRemove | Relation::Remove => None,
        Relation::Add => Some(
            "with the relation add an attack looks for records that are not in the data: a false positive is a record in the data \
             that is taken to be absent, the TPR is the share of absent records that are found, and the belief is that a record \
             which the attack calls absent is so",
        ),
        Relation::Replace => Some(
            "with the relation replace an attack tells whether one record or another one was used: a false positive is the other \
             one taken for the first, and a prior is the belief that it was the first",
        ),
    }
}

/// `e^ε`: how many times as likely one record can make an outcome, rounded up.
///
/// # Guarantee
/// At least `e^ε`.
pub fn odds_factor(epsilon: f64) -> f64 {
    Enclosure::point(epsilon).exp().upper()
}

fn check_rate(false_positive_rate: f64) -> Result<(), Error> {
    check(
        (0.0..=1.0).contains(&false_positive_rate),
        "fpr",
        false_positive_rate,
        "from 0 to 1",
        "give the false positive rate of the attack, say 0.01",
    )
}

fn check_prior(prior: f64) -> Result<(), Error> {
    check(
        prior > 0.0 && prior < 1.0,
        "prior",
        prior,
        "above 0 and below 1",
        "give the attacker's belief before the attack, say 0.5",
    )
}
