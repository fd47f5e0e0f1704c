"""What was done to the data, as events that nest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class DpEvent:
    """What was done to the data."""


@dataclass(frozen=True)
class NoOpDpEvent(DpEvent):
    """Nothing."""


@dataclass(frozen=True)
class NonPrivateDpEvent(DpEvent):
    """Something without any privacy."""


@dataclass(frozen=True)
class UnsupportedDpEvent(DpEvent):
    """Something that no accountant supports."""


@dataclass(frozen=True)
class GaussianDpEvent(DpEvent):
    """Gaussian noise of standard deviation ``noise_multiplier`` times the sensitivity."""

    noise_multiplier: float


@dataclass(frozen=True)
class LaplaceDpEvent(DpEvent):
    """Laplace noise of scale ``noise_multiplier`` times the sensitivity."""

    noise_multiplier: float


@dataclass(frozen=True)
class DiscreteLaplaceDpEvent(DpEvent):
    """Discrete Laplace noise: probabilities proportional to e^(−``noise_parameter``·|x|)."""

    noise_parameter: float
    sensitivity: int


@dataclass(frozen=True)
class RandomizedResponseDpEvent(DpEvent):
    """A category that is replaced by a uniform one, possibly the same, with probability ``noise_parameter``."""

    noise_parameter: float
    num_buckets: int


@dataclass(frozen=True)
class MixtureOfGaussiansDpEvent(DpEvent):
    """Gaussian noise on a sum that moves by a random sensitivity."""

    standard_deviation: float
    sensitivities: Sequence[float]
    sampling_probs: Sequence[float]


@dataclass(frozen=True)
class ZCDpEvent(DpEvent):
    """Any (ξ, ρ)-zCDP mechanism."""

    rho: float
    xi: float = 0.0


@dataclass(frozen=True)
class SelfComposedDpEvent(DpEvent):
    """An event, ``count`` times."""

    event: Any
    count: int


@dataclass(frozen=True)
class ComposedDpEvent(DpEvent):
    """Several events."""

    events: Sequence[Any]


@dataclass(frozen=True)
class PoissonSampledDpEvent(DpEvent):
    """An event on a Poisson sample."""

    sampling_probability: float
    event: Any


@dataclass(frozen=True)
class SampledWithoutReplacementDpEvent(DpEvent):
    """An event on a sample of fixed size."""

    source_dataset_size: int
    sample_size: int
    event: Any


@dataclass(frozen=True)
class SampledWithReplacementDpEvent(DpEvent):
    """An event on a sample of fixed size, drawn with replacement."""

    source_dataset_size: int
    sample_size: int
    event: Any


@dataclass(frozen=True)
class SingleEpochTreeAggregationDpEvent(DpEvent):
    """Sums over the nodes of binary trees, each with noise; a record is in at most one leaf of all trees.

    ``step_counts`` says how many leaves each tree has.
    """

    noise_multiplier: float
    step_counts: int | Sequence[int]


@dataclass(frozen=True)
class RepeatAndSelectDpEvent(DpEvent):
    """An event that is repeated a random number of times, of which the best outcome is kept.

    The number has the given mean and a law of the given shape: Poisson for infinity, geometric for 1, logarithmic for 0,
    and otherwise truncated negative binomial.
    """

    event: Any
    mean: float
    shape: float


@dataclass(frozen=True)
class TruncatedSubsampledGaussianDpEvent(DpEvent):
    """Gaussian noise on a Poisson sample that is cut to a largest size."""

    dataset_size: int
    sampling_probability: float
    truncated_batch_size: int
    noise_multiplier: float
