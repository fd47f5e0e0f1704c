//! Axes: where numbers go, and which of them are written down.

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths; numbers that are not positive cannot be shown.
    Logarithmic,
}

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
    pub(crate) range: Option<(f64, f64)>,
    pub(crate) included: Option<f64>,
    /// Written at 0, 1, 2, … in place of numbers.
    pub(crate) names: Vec<String>,
}

impl Axis {
    /// A linear axis as long as the data.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: None, included: None, names: vec![] }
    }

    /// A logarithmic axis as long as the data.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { scale: Scale::Logarithmic, ..Self::linear(label) }
    }

    /// Names in place of numbers, at 0, 1, 2, …
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Self {
        let end = names.len() as f64 - 0.5;
        Self { names, ..Self::linear(label).between(-0.5, end) }
    }

    /// The part of the axis that is shown.
    pub fn between(self, from: f64, to: f64) -> Self {
        Self { range: Some((from, to)), ..self }
    }

    /// At least as long as to show this number.
    pub fn including(self, value: f64) -> Self {
        Self { included: Some(value), ..self }
    }

    /// The same with some room at the ends, so that no curve touches the frame. Where nothing is below 0, neither is the axis.
    pub(crate) fn fitted_with_room(&self, values: impl Iterator<Item = f64>) -> Ruler {
        let ruler = self.fitted(values);
        if self.range.is_some() {
            return ruler;
        }
        let room = ROOM * (ruler.to - ruler.from);
        let is_above = self.scale == Scale::Linear && ruler.from >= 0.0;
        let floor = if is_above { 0.0 } else { f64::NEG_INFINITY };
        Ruler { from: (ruler.from - room).max(floor), to: ruler.to + room, ..ruler }
    }

    /// The same with room for bars: half of the smallest distance of two of them on either side.
    pub(crate) fn fitted_around(
        &self,
        values: impl Iterator<Item = f64>,
        bars: impl Iterator<Item = f64>,
    ) -> Ruler {
        let ruler = self.fitted(values);
        let mut places: Vec<f64> =
            bars.filter(|&bar| self.scale.shows(bar)).map(|bar| self.scale.position(bar)).collect();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.0);
        let room = 0.5 * gaps.fold(f64::INFINITY, f64::min);
        match places[..] {
            [first, .., last] if self.range.is_none() && room.is_finite() => {
                Ruler { from: ruler.from.min(first - room), to: ruler.to.max(last + room), ..ruler }
            }
            _ => ruler,
        }
    }

    /// The places to be written down: names if there are any.
    pub(crate) fn ticks(&self, ruler: &Ruler) -> Vec<Tick> {
        if self.names.is_empty() {
            return ruler.ticks();
        }
        let named = self.names.iter().enumerate();
        named
            .map(|(position, name)| Tick { at: ruler.share(position as f64), label: Some(name.clone()) })
            .collect()
    }

    /// The axis with a range that shows `values`, or the one that was asked for.
    pub(crate) fn fitted(&self, values: impl Iterator<Item = f64>) -> Ruler {
        let shown = values
            .chain(self.included)
            .filter(|&value| self.scale.shows(value))
            .map(|value| self.scale.position(value));
        let (from, to) = match self.range {
            Some((from, to)) => (self.scale.position(from), self.scale.position(to)),
            None => {
                let (low, high) = shown
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
                match low.partial_cmp(&high) {
                    Some(std::cmp::Ordering::Less) => (low, high),
                    Some(std::cmp::Ordering::Equal) => (low - 0.5, high + 0.5),
                    Some(std::cmp::Ordering::Greater) | None => (0.0, 1.0),
                }
            }
        };
        Ruler { scale: self.scale, from, to }
    }
}

impl Scale {
    pub(crate) fn shows(self, value: f64) -> bool {
        match self {
            Self::Linear => value.is_finite(),
            Self::Logarithmic => value.is_finite() && value > 0.0,
        }
    }

    fn position(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Logarithmic => value.log10(),
        }
    }
}

/// An axis with its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ruler {
    scale: Scale,
    from: f64,
    to: f64,
}

/// A place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    /// From 0 to 1.
    pub(crate) at: f64,
    /// Nothing for a small one.
    pub(crate) label: Option<String>,
}

/// The room at an end, as a share of the axis.
const ROOM: f64 = 0.03;

/// About so many numbers are written along an axis.
const LABELS: f64 = 6.0;

impl Ruler {
    /// Where a number is, from 0 to 1 along the axis and beyond its ends.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (self.scale.position(value) - self.from) / (self.to - self.from)
    }

    pub(crate) fn shows(&self, value: f64) -> bool {
        self.scale.shows(value)
    }

    pub(crate) fn ends(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear => (self.from, self.to),
            Scale::Logarithmic => (10f64.powf(self.from), 10f64.powf(self.to)),
        }
    }

    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let all = match self.scale {
            Scale::Linear => self.linear_ticks(),
            Scale::Logarithmic => self.logarithmic_ticks(),
        };
        all.into_iter().filter(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.at)).collect()
    }

    fn linear_ticks(&self) -> Vec<Tick> {
        let step = nice_step((self.to - self.from) / LABELS);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let (first, last) = ((self.from / step).ceil() as i64, (self.to / step + 1e-9).floor() as i64);
        let label = |value: f64| {
            if step < 1e-4 || self.to.abs().max(self.from.abs()) >= 1e6 {
                scientific(value, step)
            } else {
                format!("{:.decimals$}", if value.abs() < step / 2.0 { 0.0 } else { value }).replace('-', "−")
            }
        };
        (first..=last)
            .map(|i| i as f64 * step)
            .map(|value| Tick { at: self.share(value), label: Some(label(value)) })
            .collect()
    }

    fn logarithmic_ticks(&self) -> Vec<Tick> {
        let decades = self.to - self.from;
        let (stride, between) = strides((decades / (LABELS + 1.0)).ceil() as i32);
        let (first, last) = (self.from.floor() as i32, self.to.ceil() as i32);
        let is_short = decades < 2.0;
        let mut ticks = vec![];
        for power in (first..=last).filter(|power| power.rem_euclid(between) == 0) {
            let decade = 10f64.powi(power);
            let is_labelled = power.rem_euclid(stride) == 0;
            ticks.push(Tick {
                at: self.share(decade),
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
        axis.fitted([from, to].into_iter()).ticks().into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_labels_are_round_numbers() {
        assert_eq!(labels(&Axis::linear(""), 0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::linear(""), -3.0, 11.0), ["−2", "0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&Axis::linear(""), 0.0, 3e6)[1], "5·10^{5}");
    }

    #[test]
    fn logarithmic_labels_are_powers() {
        assert_eq!(labels(&Axis::logarithmic(""), 1e-6, 1.0)[..2], ["10^{−6}", "10^{−5}"]);
        assert_eq!(labels(&Axis::logarithmic(""), 1.0, 1000.0), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&Axis::logarithmic(""), 0.01, 0.5), ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert!(labels(&Axis::logarithmic(""), 1e-300, 1.0).len() <= 8);
    }

    /// Many decades have few marks, at round powers.
    #[test]
    fn long_logarithmic_axes_are_not_crowded() {
        let ticks = Axis::logarithmic("").fitted([1e-80, 1.0].into_iter()).ticks();
        let labels: Vec<&str> = ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
        assert_eq!(labels, ["10^{−80}", "10^{−60}", "10^{−40}", "10^{−20}", "10^{0}"]);
        assert_eq!(ticks.len(), 17);
    }

    /// Room at the end of an axis must not suggest that what is never negative could be.
    #[test]
    fn room_does_not_cross_zero() {
        let ends = |values: [f64; 2]| Axis::linear("").fitted_with_room(values.into_iter()).ends();
        assert_eq!(ends([0.01, 1.0]).0, 0.0);
        assert_eq!(ends([0.0, 1.0]), (0.0, 1.03));
        assert!(ends([-0.01, 1.0]).0 < -0.01 && ends([0.5, 1.0]).0 > 0.4);
    }

    #[test]
    fn what_cannot_be_shown_does_not_stretch_an_axis() {
        let ruler = Axis::logarithmic("").fitted([0.0, f64::INFINITY, f64::NAN, 1.0, 100.0].into_iter());
        assert_eq!(ruler.ends(), (1.0, 100.0));
        assert_eq!(ruler.share(10.0), 0.5);
        assert_eq!(Axis::linear("").including(0.0).fitted([1.0, 2.0].into_iter()).ends(), (0.0, 2.0));
        assert_eq!(Axis::linear("").fitted(std::iter::empty()).ends(), (0.0, 1.0));
    }
}
