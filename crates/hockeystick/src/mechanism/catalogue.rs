//! The list of all mechanisms: the one place that maps names to types.

use super::arguments::did_you_mean;
use super::text::{closest, listed, quoted};
use super::{
    ApproximateDp, ArgumentError, Arguments, Binomial, Compose, Described, DiscreteGaussian, DiscreteLaplace,
    Exponential, Gaussian, GaussianMixture, GaussianVariance, Gdp, KRandomizedResponse, Laplace, Mechanism,
    PairFile, Parameter, PermuteAndFlip, Poisson, ProfileFile, RandomizedResponse, RenyiFile, Repeat,
    ReportNoisyMax, SparseVector, Stability, Subset, TruncatedGaussian, TruncatedLaplace, Uniform, Value,
    Zcdp,
};

/// What the catalogue says about one mechanism.
#[derive(Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name in text and JSON.
    pub name: &'static str,
    /// One line on what the mechanism does.
    pub meaning: &'static str,
    /// The worst-case pair that stands for it, with its source.
    pub pair: &'static str,
    /// An expression that uses it.
    pub example: &'static str,
    /// The parameters, in the order in which they are printed.
    pub parameters: &'static [Parameter],
    pub(super) build: fn(&mut Arguments) -> Result<Mechanism, ArgumentError>,
}

/// How a mechanism is written down.
pub(super) enum Written<'a> {
    Call { name: &'static str, parameters: &'static [Parameter], arguments: Vec<(&'static str, Value<'a>)> },
    Sum(&'a [Mechanism]),
    Times(&'a Repeat),
}

macro_rules! mechanisms {
    (leaves: $($leaf:ident)*; samplers: $($sampler:ident)*) => {
        /// Every mechanism and sampler that has a name, in the order of documentation.
        pub fn catalogue() -> &'static [Entry] {
            const ENTRIES: &[Entry] = &[$(entry::<$leaf>(),)* $(entry::<$sampler>(),)*];
            ENTRIES
        }

        impl Mechanism {
            pub(super) fn written(&self) -> Written<'_> {
                match self {
                    $(Self::$leaf(leaf) => call(leaf),)*
                    $(Self::$sampler(sampler) => call(sampler),)*
                    Self::Compose(compose) => Written::Sum(compose),
                    Self::Repeat(repeat) => Written::Times(repeat),
                }
            }

            /// The mechanisms this one is made of: none for a leaf.
            pub fn parts(&self) -> &[Mechanism] {
                match self {
                    $(Self::$leaf(_) => &[],)*
                    $(Self::$sampler(sampler) => std::slice::from_ref(sampler.mechanism()),)*
                    Self::Compose(compose) => compose,
                    Self::Repeat(repeat) => std::slice::from_ref(repeat.mechanism()),
                }
            }

            pub(super) fn take_parts(&mut self, into: &mut Vec<Mechanism>) {
                match self {
                    $(Self::$leaf(_) => {})*
                    $(Self::$sampler(sampler) => into.push(sampler.mechanism.take()),)*
                    Self::Compose(compose) => into.append(&mut compose.parts),
                    Self::Repeat(repeat) => into.push(repeat.mechanism.take()),
                }
            }
        }

        $(super::algebra::operators!($leaf);)*
        $(super::algebra::operators!($sampler);)*
        super::algebra::operators!(Compose);
        super::algebra::operators!(Repeat);
    };
}

mechanisms! {
    leaves:
        Gaussian Laplace DiscreteGaussian DiscreteLaplace RandomizedResponse KRandomizedResponse ApproximateDp
        Exponential ReportNoisyMax PermuteAndFlip SparseVector Binomial TruncatedGaussian TruncatedLaplace Uniform GaussianMixture GaussianVariance
        Stability Zcdp Gdp PairFile ProfileFile RenyiFile;
    samplers:
        Poisson Subset
}

const fn entry<T: Described + Into<Mechanism>>() -> Entry {
    Entry {
        name: T::NAME,
        meaning: T::MEANING,
        pair: T::PAIR,
        example: T::EXAMPLE,
        parameters: T::PARAMETERS,
        build: |arguments| Ok(T::from_arguments(arguments)?.into()),
    }
}

fn call<T: Described>(mechanism: &T) -> Written<'_> {
    Written::Call { name: T::NAME, parameters: T::PARAMETERS, arguments: mechanism.arguments() }
}

/// What describes a repetition, which has a name only in JSON.
pub(super) fn repetition() -> &'static Entry {
    const REPETITION: &Entry = &entry::<Repeat>();
    REPETITION
}

/// A name that no mechanism has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no mechanism {found}{}; the mechanisms are {}", did_you_mean(.suggestion), names())]
pub struct UnknownMechanism {
    /// The name that was given, quoted and cut short if it is long.
    pub found: String,
    /// The name that was perhaps meant.
    pub suggestion: Option<&'static str>,
}

fn names() -> String {
    listed(catalogue().iter().map(|entry| entry.name), "and")
}

pub(super) fn find(name: &str) -> Result<&'static Entry, UnknownMechanism> {
    catalogue().iter().find(|entry| entry.name == name).ok_or_else(|| UnknownMechanism {
        found: quoted(name),
        suggestion: closest(name, catalogue().iter().map(|entry| entry.name)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (position, entry) in catalogue().iter().enumerate() {
            assert!(
                catalogue()[..position].iter().all(|earlier| earlier.name != entry.name),
                "{}",
                entry.name
            );
        }
    }

    #[test]
    fn arguments_come_in_declared_order() {
        for entry in catalogue() {
            let mechanism: Mechanism = entry.example.parse().unwrap();
            let Written::Call { name, arguments, .. } = mechanism.written() else { panic!("{}", entry.name) };
            assert_eq!(name, entry.name);
            let mut declared = entry.parameters.iter();
            for (argument, _) in arguments {
                assert!(declared.any(|parameter| parameter.name == argument), "{name}: {argument}");
            }
        }
    }

    #[test]
    fn constructors_and_catalogue_agree_on_defaults() {
        let built = [
            Mechanism::from(Gaussian::new(3.0).unwrap()),
            Laplace::new(3.0).unwrap().into(),
            DiscreteGaussian::new(3.0).unwrap().into(),
            DiscreteLaplace::new(3.0).unwrap().into(),
            Uniform::new(3.0).unwrap().into(),
            TruncatedGaussian::new(3.0, 4.0).unwrap().into(),
            TruncatedLaplace::new(3.0, 4.0).unwrap().into(),
            Binomial::new(3).unwrap().into(),
        ];
        for mechanism in built {
            let text = mechanism.to_string();
            assert!(!text.contains("sensitivity") && !text.contains("p=") && !text.contains("dim"), "{text}");
        }
    }
}
