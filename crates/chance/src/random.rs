//! A sequence of random numbers that is the same everywhere.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence of one case of a campaign: it depends on the seed and the number alone, so that a case can be drawn without
    /// those before it.
    pub fn of_case(seed: u64, case: u64) -> Self {
        let mut mixed = Self(seed ^ case.wrapping_mul(0xd134_2543_de82_ef95));
        mixed.bits();
        mixed
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Uniform from `low` to `high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in the logarithm, between two positive numbers.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// `true` with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.uniform(0.0, 1.0) < p
    }

    /// One of a list, which must not be empty.
    pub fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }
}

#[test]
fn the_sequence_is_the_published_one() {
    // The first numbers of SplitMix64 with the seed 1234567, as published with the algorithm.
    let mut random = Random::new(1_234_567);
    assert_eq!(random.bits(), 6_457_827_717_110_365_317);
    assert_eq!(random.bits(), 3_203_168_211_198_807_973);
}

#[test]
fn cases_have_sequences_of_their_own() {
    let first: Vec<u64> = (0..100).map(|case| Random::of_case(1, case).bits()).collect();
    let distinct: std::collections::BTreeSet<_> = first.iter().collect();
    assert_eq!(distinct.len(), 100);
    assert_eq!(Random::of_case(1, 7).bits(), first[7]);
}
