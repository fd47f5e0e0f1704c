//! Which numbers are written along an axis, and how.

use super::{described::Axis, ruler::Ruler, scale::Scale};

/// A place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// From 0 to 1.
    pub(crate) at: f64,
    /// Nothing for a small one.
    pub(crate) label: Option<String>,
}

/// On a short logarithmic axis so many labels are wanted at least.
const FEWEST: usize = 3;
/// Numbers with more decimals are written with a power of ten.
const MOST_DECIMALS: i32 = 4;
/// The same for numbers with so many digits in all.
const MOST_DIGITS: i32 = 12;

impl Axis {
    /// The places to be written down, about `labels` of them: names if there are any, and nothing where there is nothing to show.
    pub(crate) fn ticks(&self, ruler: &Ruler, labels: f64) -> Vec<Tick> {
        if self.names.is_empty() {
            return ruler.ticks(labels);
        }
        let named = self.names.iter().enumerate();
        named
            .map(|(position, name)| Tick { at: ruler.share(position as f64), label: Some(name.clone()) })
            .collect()
    }
}

impl Ruler {
    /// Round numbers, about `labels` of them with a label, in rising order.
    pub(crate) fn ticks(&self, labels: f64) -> Vec<Tick> {
        if self.is_empty {
            return vec![];
        }
        let inside = |ticks: Vec<Tick>| -> Vec<Tick> {
            ticks.into_iter().filter(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.at)).collect()
        };
        match self.scale {
            Scale::Linear => inside(self.evenly_spaced(self.from, self.to, labels)),
            Scale::Logarithmic => {
                let powers = inside(self.powers_of_ten(labels));
                let count = powers.iter().filter(|tick| tick.label.is_some()).count();
                // Between two powers of ten their multiples may be too few.
                if count < FEWEST.min(labels as usize) && self.to - self.from < 1.0 {
                    let [from, to] = [self.from, self.to].map(|end| 10f64.powf(end));
                    return inside(self.evenly_spaced(from, to, labels));
                }
                powers
            }
        }
    }

    fn evenly_spaced(&self, from: f64, to: f64, labels: f64) -> Vec<Tick> {
        let step = nice_step((to - from) / labels);
        let (first, last) = ((from / step).ceil() as i64, (to / step + 1e-9).floor() as i64);
        let largest = to.abs().max(from.abs());
        let decimals = -step.log10().floor() as i32;
        // Many decimals are read if there is a digit before them, not if there are zeros.
        let digits = largest.log10().floor() as i32 + 1 + decimals;
        let is_plain = largest < 1e6
            && (decimals <= MOST_DECIMALS || (largest >= 0.1 && digits <= MOST_DIGITS))
            && decimals <= MOST_DIGITS;
        let label = |value: f64| {
            if is_plain {
                let places = decimals.max(0) as usize;
                format!("{:.places$}", if value.abs() < step / 2.0 { 0.0 } else { value }).replace('-', "−")
            } else {
                scientific(value, step)
            }
        };
        (first..=last)
            .map(|i| i as f64 * step)
            .map(|value| Tick { at: self.share(value), label: Some(label(value)) })
            .collect()
    }

    fn powers_of_ten(&self, labels: f64) -> Vec<Tick> {
        let decades = self.to - self.from;
        let (stride, between) = strides((decades / (labels + 1.0)).ceil() as i32);
        let (first, last) = (self.from.floor() as i32, self.to.ceil() as i32);
        let is_short = decades < 2.0;
        let mut ticks = vec![];
        for power in (first..=last).filter(|power| power.rem_euclid(between) == 0) {
            let decade = 10f64.powi(power);
            let is_labelled = power.rem_euclid(stride) == 0;
            ticks.push(Tick {
                at: self.share_of_power(f64::from(power)),
                label: is_labelled.then(|| self.power_label(power, 1)),
            });
            if stride == 1 && decades < 10.0 {
                ticks.extend((2..=9).map(|digit| Tick {
                    at: self.share(decade * f64::from(digit)),
                    label: (is_short && (digit == 2 || digit == 5)).then(|| self.power_label(power, digit)),
                }));
            }
        }
        ticks
    }

    /// Where a power of ten is, also one that is no double.
    fn share_of_power(&self, power: f64) -> f64 {
        (power - self.from) / (self.to - self.from)
    }

    /// `0.01`, `1`, `100` where all numbers of the axis are of that kind, `10^{−5}` elsewhere.
    fn power_label(&self, power: i32, digit: i32) -> String {
        let is_plain = self.from >= -2.2 && self.to <= 4.2;
        match (is_plain, digit) {
            (true, _) if power >= 0 => (i64::from(digit) * 10i64.pow(power as u32)).to_string(),
            (true, _) => format!("{:.*}", -power as usize, f64::from(digit) * 10f64.powi(power)),
            (false, 1) => format!("10^{{{}}}", power.to_string().replace('-', "−")),
            (false, _) => format!("{digit}·10^{{{}}}", power.to_string().replace('-', "−")),
        }
    }
}

/// A label without raised letters: `2·10^{−5}` is `2e-5`.
pub(crate) fn plain(label: &str) -> String {
    let label = label.replace('−', "-");
    match label.split_once("10^{") {
        Some((factor, power)) => {
            let factor = factor.trim_end_matches('·');
            format!("{}e{}", if factor.is_empty() { "1" } else { factor }, power.trim_end_matches('}'))
        }
        None => label,
    }
}

/// From how many decades to how many a power is written, at least `least`, and a mark made: round numbers of them.
fn strides(least: i32) -> (i32, i32) {
    let known = [(1, 1), (2, 1), (3, 1), (5, 1), (10, 2), (20, 5), (50, 10), (100, 20)];
    known.into_iter().find(|(stride, _)| *stride >= least).unwrap_or((least, least))
}

/// The number of the form 1, 2, 5 times a power of ten that is next to `x`.
fn nice_step(x: f64) -> f64 {
    let scale = 10f64.powf(x.log10().floor());
    let factor = match x / scale {
        share if share < 1.5 => 1.0,
        share if share < 3.5 => 2.0,
        share if share < 7.5 => 5.0,
        _ => 10.0,
    };
    // Through decimal text, so that multiples are what they look like.
    format!("{:e}", factor * scale).parse().unwrap_or(factor * scale)
}

fn scientific(value: f64, step: f64) -> String {
    if value.abs() < step / 2.0 {
        return "0".to_owned();
    }
    let digits = (value.abs().log10().floor() - step.log10().floor()).max(0.0) as usize;
    let text = format!("{value:.digits$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{mantissa}·10^{{{}}}", power.replace('-', "−")).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, from: f64, to: f64) -> Vec<String> {
        let ticks = axis.fitted([from, to].into_iter()).ticks(6.0);
        ticks.into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_labels_are_round_numbers() {
        assert_eq!(labels(&Axis::linear(""), 0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::linear(""), -3.0, 11.0), ["−2", "0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&Axis::linear(""), 0.0, 3e6)[1], "5·10^{5}");
        assert_eq!(labels(&Axis::linear(""), 1.0, 1.000_006)[1], "1.000001");
        assert_eq!(labels(&Axis::linear(""), 0.0, 3e-6)[1], "5·10^{−7}");
    }

    #[test]
    fn logarithmic_labels_are_powers() {
        assert_eq!(labels(&Axis::logarithmic(""), 1e-6, 1.0)[..2], ["10^{−6}", "10^{−5}"]);
        assert_eq!(labels(&Axis::logarithmic(""), 1.0, 1000.0), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&Axis::logarithmic(""), 0.01, 0.5), ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert!(labels(&Axis::logarithmic(""), 1e-300, 1.0).len() <= 8);
    }

    /// Between 3 and 4 there is neither a power of ten nor twice or five times one.
    #[test]
    fn short_logarithmic_axes_have_labels() {
        assert_eq!(labels(&Axis::logarithmic(""), 3.1, 4.05), ["3.2", "3.4", "3.6", "3.8", "4.0"]);
        for (from, to) in [(0.3, 0.4), (6e-7, 9e-7), (1.1, 1.9), (2.1, 4.9), (5.1, 9.9), (6.0, 19.0)] {
            let labels = labels(&Axis::logarithmic(""), from, to);
            assert!((3..=9).contains(&labels.len()), "{from} {to} {labels:?}");
        }
    }

    /// Many decades have few marks, at round powers.
    #[test]
    fn long_logarithmic_axes_are_not_crowded() {
        let ticks = Axis::logarithmic("").fitted([1e-80, 1.0].into_iter()).ticks(6.0);
        let labels: Vec<&str> = ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
        assert_eq!(labels, ["10^{−80}", "10^{−60}", "10^{−40}", "10^{−20}", "10^{0}"]);
        assert_eq!(ticks.len(), 17);
    }

    #[test]
    fn labels_in_characters_have_no_raised_letters() {
        let all = ["10^{−5}", "2·10^{−5}", "1.5·10^{3}", "−2·10^{3}", "0.25", "−4", "contour"];
        assert_eq!(all.map(plain), ["1e-5", "2e-5", "1.5e3", "-2e3", "0.25", "-4", "contour"]);
    }
}
