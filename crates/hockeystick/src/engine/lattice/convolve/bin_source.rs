//! How the bins of a law are computed: a pure choice, counted and printed.

use super::super::tuning::Tuning;
use std::fmt;

/// How the bins of a law are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinSource {
    /// One transform of all bins.
    Transform,
    /// The same with the leading bins summed directly, each with its own error bound: where the 2-norm bound is too large.
    SharpenedTransform,
    /// Short transforms of a law that is much shorter than its window.
    ShortTransforms,
    /// Exponential sums at the leading bins only.
    ExponentialSums,
}

/// The facts for the choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LawFacts {
    /// The points of the window.
    pub(crate) length: usize,
    /// The points of the law.
    pub(crate) points: usize,
    /// The non-negligible bins of the product so far.
    pub(crate) bins: usize,
    /// Is the expected round-off of a transform above the harmless error?
    pub(crate) is_rough: bool,
    /// Is it the first law, much shorter than its window, with too many non-negligible bins in its power for direct sums?
    pub(crate) is_short_and_bright: bool,
}

impl BinSource {
    /// The cheapest source that is accurate enough.
    pub(crate) fn choose(facts: &LawFacts, tuning: &Tuning) -> Self {
        let sums = tuning.sum_cost * (facts.points + facts.bins);
        if facts.is_rough {
            Self::SharpenedTransform
        } else if facts.is_short_and_bright {
            Self::ShortTransforms
        } else if sums <= facts.length {
            Self::ExponentialSums
        } else {
            Self::Transform
        }
    }
}

/// How often each was chosen, for the pessimistic law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinSources {
    /// Transforms of all bins.
    pub transforms: u32,
    /// Transforms whose leading bins were summed anew.
    pub sharpened: u32,
    /// Laws that were transformed in short pieces.
    pub short: u32,
    /// Laws of which only the leading bins were summed.
    pub sums: u32,
}

impl BinSources {
    pub(crate) fn count(&mut self, source: BinSource) {
        match source {
            BinSource::Transform => self.transforms += 1,
            BinSource::SharpenedTransform => self.sharpened += 1,
            BinSource::ShortTransforms => self.short += 1,
            BinSource::ExponentialSums => self.sums += 1,
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            transforms: self.transforms + other.transforms,
            sharpened: self.sharpened + other.sharpened,
            short: self.short + other.short,
            sums: self.sums + other.sums,
        }
    }
}

impl fmt::Display for BinSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.transforms, "transformed"),
            (self.sharpened, "transformed with leading bins summed directly"),
            (self.short, "transformed in short pieces"),
            (self.sums, "summed at the leading bins only"),
        ];
        let words: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        write!(f, "{}", words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::tuning::TUNING, *};

    #[test]
    fn bins_come_from_the_cheapest_accurate_source() {
        // (window, points of the law, bins so far, rough, short and bright)
        for (length, points, bins, is_rough, is_short_and_bright, expected) in [
            // The first law of a training: all bins may matter.
            (1 << 14, 3000, (1 << 13) + 1, false, false, BinSource::Transform),
            // A hundred sums of two atoms.
            (1 << 14, 2, (1 << 13) + 1, false, true, BinSource::ShortTransforms),
            // Later laws, once few bins are left; and while too many are.
            (1 << 14, 1000, 200, false, false, BinSource::ExponentialSums),
            (1 << 14, 1000, 1049, false, false, BinSource::Transform),
            (1 << 14, 2048, 1, false, false, BinSource::Transform),
            // What is rough needs its leading bins, whatever else holds.
            (1 << 14, 1000, 200, true, false, BinSource::SharpenedTransform),
            (1 << 14, 2, (1 << 13) + 1, true, true, BinSource::SharpenedTransform),
        ] {
            let facts = LawFacts { length, points, bins, is_rough, is_short_and_bright };
            assert_eq!(BinSource::choose(&facts, &TUNING), expected, "{facts:?}");
        }
        let mut sources = BinSources::default();
        [BinSource::Transform, BinSource::ExponentialSums, BinSource::ExponentialSums]
            .into_iter()
            .for_each(|source| sources.count(source));
        assert_eq!(sources.and(sources).to_string(), "2 transformed, 4 summed at the leading bins only");
    }
}
