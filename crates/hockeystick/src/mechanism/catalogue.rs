//! The list of all mechanisms, in the order of documentation: the one place that maps names to types.

use super::arguments::{Entry, did_you_mean};
use super::check::{Subject, WHOLE, whole_from_double};
use super::compose::COMPOSE;
use super::decimal::Shortest;
use super::words::{closest, listed, quoted};
use super::{
    Allocation, ApproximateDp, ArgumentError, Arguments, Binomial, Compose, Described, DiscreteGaussian,
    DiscreteLaplace, Exponential, Gaussian, GaussianMixture, GaussianVariance, Gdp, KRandomizedResponse,
    Kind, Laplace, PairFile, Parameter, PermuteAndFlip, Poisson, ProfileFile, RandomizedResponse, RenyiFile,
    Repeat, ReportNoisyMax, Shuffle, Skellam, SparseVector, Stability, Staircase, Subset, Tree,
    TruncatedGaussian, TruncatedLaplace, Uniform, Value, Zcdp,
};

/// How a mechanism is written down.
pub(super) enum Written<'a> {
    Call { name: &'static str, parameters: &'static [Parameter], arguments: Vec<(&'static str, Value<'a>)> },
    Sum(&'a [Mechanism]),
    Times(&'a Repeat),
}

macro_rules! mechanisms {
    (leaves { $($(#[$leaf_doc:meta])* $leaf:ident,)* } samplers { $($(#[$sampler_doc:meta])* $sampler:ident,)* }) => {
        /// A mechanism, or several of them sampled, repeated and composed.
        ///
        /// Matches over this enum have no `_` arm, so that the compiler lists every place a new mechanism must be
        /// given a meaning.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Mechanism {
            $($(#[$leaf_doc])* $leaf($leaf),)*
            $($(#[$sampler_doc])* $sampler($sampler),)*
            /// Several mechanisms, composed.
            Compose(Compose),
            /// One mechanism composed with itself.
            Repeat(Repeat),
        }

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
    leaves {
        /// Gaussian noise on a real answer.
        Gaussian,
        /// Laplace noise on a real answer.
        Laplace,
        /// Gaussian noise on the integers.
        DiscreteGaussian,
        /// Laplace (two-sided geometric) noise on the integers.
        DiscreteLaplace,
        /// A yes or no that is sometimes flipped.
        RandomizedResponse,
        /// One of k categories that is sometimes replaced by another.
        KRandomizedResponse,
        /// Any (ε, δ)-differentially private mechanism.
        ApproximateDp,
        /// The exponential mechanism.
        Exponential,
        /// The largest of several noisy scores.
        ReportNoisyMax,
        /// The permute-and-flip mechanism.
        PermuteAndFlip,
        /// The sparse vector technique.
        SparseVector,
        /// Binomial noise on the integers.
        Binomial,
        /// The difference of two Poisson numbers, as noise on the integers.
        Skellam,
        /// Gaussian noise conditioned on an interval.
        TruncatedGaussian,
        /// Laplace noise conditioned on an interval.
        TruncatedLaplace,
        /// Uniform noise.
        Uniform,
        /// Staircase noise on a real answer.
        Staircase,
        /// Gaussian noise on a sum that moves by a random amount.
        GaussianMixture,
        /// Gaussian noise whose variance depends on the data.
        GaussianVariance,
        /// Release by noisy distance to instability.
        Stability,
        /// Any ρ-zCDP mechanism.
        Zcdp,
        /// Any μ-GDP mechanism.
        Gdp,
        /// Running sums with Gaussian noise on a tree.
        Tree,
        /// A dominating pair read from a file.
        PairFile,
        /// A privacy profile read from a file.
        ProfileFile,
        /// A Rényi curve read from a file.
        RenyiFile,
    }
    samplers {
        /// A mechanism on a Poisson sample.
        Poisson,
        /// A mechanism on a sample of fixed size.
        Subset,
        /// A mechanism in many steps, a record in one of them.
        Allocation,
        /// The locally private reports of many users, shuffled.
        Shuffle,
    }
}

impl Mechanism {
    /// Its name in JSON: that of its text form, or `compose` or `repeat`.
    pub fn name(&self) -> &'static str {
        match self.written() {
            Written::Call { name, .. } => name,
            Written::Sum(_) => COMPOSE,
            Written::Times(_) => Repeat::NAME,
        }
    }

    /// The values that make it again, by name, in the order in which they are printed. A composition has none: see
    /// [`parts`](Self::parts).
    pub fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        match self.written() {
            Written::Call { arguments, .. } => arguments,
            Written::Sum(_) => Vec::new(),
            Written::Times(repeat) => repeat.arguments(),
        }
    }
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

/// Why named values make no mechanism.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// There is no mechanism of that name.
    #[error(transparent)]
    Name(#[from] UnknownMechanism),
    /// A value is missing, not wanted, of another kind, or out of range.
    #[error(transparent)]
    Argument(#[from] ArgumentError),
}

/// What is known of the mechanism called `name`, or of `repeat`, which only JSON calls by a name.
pub fn entry_of(name: &str) -> Option<&'static Entry> {
    if name == Repeat::NAME { Some(repetition()) } else { find(name).ok() }
}

/// The mechanism called `name`, or a `repeat`, with named values, through the same checks as its text form.
///
/// ```
/// use hockeystick::mechanism::{Value, build};
///
/// let mechanism = build("gaussian", vec![("sigma", Value::Number(2.0))])?;
/// assert_eq!(mechanism.to_string(), "gaussian(sigma=2)");
/// # Ok::<(), hockeystick::mechanism::BuildError>(())
/// ```
pub fn build<'a>(
    name: &str,
    values: impl IntoIterator<Item = (&'a str, Value<'static>)>,
) -> Result<Mechanism, BuildError> {
    let entry = if name == Repeat::NAME { repetition() } else { find(name)? };
    let mut arguments = Arguments::new(entry);
    for (name, value) in values {
        let parameter = arguments.claim(name)?;
        let value = fitted(entry, parameter, value)?;
        arguments.set(parameter, value);
    }
    arguments.require_all()?;
    Ok((entry.build)(&mut arguments)?)
}

/// The value, of the kind that the parameter takes.
fn fitted(
    entry: &Entry,
    parameter: &Parameter,
    value: Value<'static>,
) -> Result<Value<'static>, ArgumentError> {
    match (parameter.kind, value) {
        // A whole number may be written 1000 or 1e3.
        (Kind::Whole, Value::Number(number)) => {
            whole_from_double(number).map(Value::Whole).ok_or_else(|| {
                let allowed =
                    if entry.name == Repeat::NAME { "a whole number from 1 to 10^15" } else { WHOLE };
                Subject::described(entry, parameter).refuse(Shortest(number), allowed).into()
            })
        }
        (kind, value) if kind == value.kind() => Ok(value),
        (kind, value) => Err(ArgumentError::WrongKind {
            mechanism: entry.name,
            parameter: parameter.name,
            expected: kind.words(),
            found: value.kind().words().to_owned(),
        }),
    }
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
