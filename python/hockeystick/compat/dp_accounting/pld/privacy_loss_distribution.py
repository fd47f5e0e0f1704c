"""The constructors and methods of ``dp_accounting.pld.privacy_loss_distribution``, without a grid.

Grids, rounding and truncation are accepted and not needed: a distribution here is the mechanism itself, and every number the
upper end of a certified interval, or the lower end if an optimistic estimate is asked for. Under ``REPLACE_ONE`` additive noise has
twice the sensitivity. A grid is made for those who read the masses, always of upper ends.

>>> step = from_gaussian_mechanism(1.0, sampling_prob=0.01)
>>> round(step.self_compose(1000).get_epsilon_for_delta(1e-5), 9)
1.828236667
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, overload

from ....arguments import number, numbers, whole
from ....catalogue import (
    ApproximateDp,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    GaussianMixture,
    Laplace,
    Pair,
)
from ....mechanism import Compose, Mechanism, Relation
from ..dp_event import RandomizedResponseDpEvent
from ..reading import Reader
from ..relation import NeighboringRelation
from . import pld_pmf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ....answer import Answer

    from ....answers import Answers


class PrivacyLossDistribution:
    """A mechanism under a relation."""

    def __init__(
        self,
        mechanism: Mechanism | None,
        relation: Relation = "add-remove",
        interval: float = 1e-4,
        pessimistic: bool = True,
    ) -> None:
        self.mechanism = mechanism
        self.relation: Relation = relation
        self._interval = number(interval, "value_discretization_interval", above=0.0)
        self._pessimistic = pessimistic
        self._grid: tuple[pld_pmf.DensePLDPmf, pld_pmf.DensePLDPmf] | None = None

    def _on_grid(self) -> tuple[pld_pmf.DensePLDPmf, pld_pmf.DensePLDPmf]:
        if self._grid is None:
            self._grid = pld_pmf.both_directions(self.mechanism, self.relation, self._interval)
        return self._grid

    @property
    def _pmf_remove(self) -> pld_pmf.DensePLDPmf:
        return self._on_grid()[0]

    @property
    def _pmf_add(self) -> pld_pmf.DensePLDPmf:
        return self._on_grid()[1]

    @property
    def _symmetric(self) -> bool:
        """Whether adding and removing a record spend the same."""
        return self.mechanism is None or self.relation == "replace" or _is_symmetric(self.mechanism)

    @overload
    def get_delta_for_epsilon(self, epsilon: float) -> float: ...
    @overload
    def get_delta_for_epsilon(self, epsilon: Sequence[float] | NDArray[Any]) -> NDArray[Any]: ...
    def get_delta_for_epsilon(self, epsilon: float | Sequence[float] | NDArray[Any]) -> float | NDArray[Any]:
        """A δ that is at least the truth (at most, if optimistic), for one ε or several. Below 0 it follows from the opposite
        direction.

        >>> law = from_gaussian_mechanism(1.0, pessimistic_estimate=False)
        >>> law.get_delta_for_epsilon(1.0) <= from_gaussian_mechanism(1.0).get_delta_for_epsilon(1.0)
        True
        """
        import numpy as np

        points = numbers(epsilon, "epsilon")
        if np.isnan(points).any():
            raise ValueError("epsilon is NaN, but must be a number; ask for ε = 0 to get the total variation distance")
        distances = np.minimum(np.abs(points), 1e300)
        if self.mechanism is None:
            known = np.zeros_like(points)
        else:
            # One question has a tighter answer than one of many.
            asked = float(distances) if points.ndim == 0 else distances
            known = np.asarray(self._end(self.mechanism.delta(asked, relation=self.relation)))
        # 1 − e^ε + e^ε·δ′(−ε), rounded to the safe side.
        shrunk = np.exp(np.minimum(points, 0.0))
        rounded = (1 + 1e-15) if self._pessimistic else (1 - 1e-15)
        below = np.minimum(1.0, (1.0 - shrunk + shrunk * known) * rounded)
        deltas = np.where(points < 0, below, known)
        return deltas if points.ndim or isinstance(epsilon, np.ndarray) else float(deltas)

    def _end(self, answer: Answer | Answers) -> Any:
        """The end of an interval that was asked for."""
        return answer.upper if self._pessimistic else answer.lower

    def get_epsilon_for_delta(self, delta: float) -> float:
        """An ε that is at least the truth, or at most if optimistic."""
        delta = number(delta, "delta", least=0.0, most=1.0)
        if self.mechanism is None or delta == 1:
            return 0.0
        return float(self._end(self.mechanism.epsilon(delta, relation=self.relation)))

    def validate_composable(self, other: PrivacyLossDistribution) -> None:
        """Refuses what cannot be composed: two relations, or an upper and a lower estimate."""
        if self._pessimistic != other._pessimistic:
            raise ValueError("a pessimistic and an optimistic estimate cannot be composed; make both of one kind")
        if self.mechanism is not None and other.mechanism is not None and self.relation != other.relation:
            raise ValueError(f"the relations differ: {self.relation} and {other.relation}; compose under one of them")

    def get_delta_for_epsilon_for_composed_pld(self, other: PrivacyLossDistribution, epsilon: float) -> float:
        """A δ that is at least the truth, of both, one after the other."""
        return self.compose(other).get_delta_for_epsilon(epsilon)

    def compute_mixture(self, other: PrivacyLossDistribution, self_weight: float) -> PrivacyLossDistribution:
        """Not supported: a choice between two mechanisms is none that can be composed here."""
        raise NotImplementedError("mixtures of privacy loss distributions are not supported; give the mixture as a Pair")

    def _of(self, mechanism: Mechanism | None) -> PrivacyLossDistribution:
        """Another mechanism, seen in the same way."""
        return PrivacyLossDistribution(mechanism, self.relation, self._interval, self._pessimistic)

    def compose(self, other: PrivacyLossDistribution, tail_mass_truncation: float = 1e-15) -> PrivacyLossDistribution:
        """Both, one after the other."""
        self.validate_composable(other)
        parts = [part for part in (self.mechanism, other.mechanism) if part is not None]
        known = self if self.mechanism is not None else other
        if len(parts) < 2:
            return known._of(parts[0] if parts else None)
        return known._of(Compose(*parts))

    def self_compose(self, num_times: int, tail_mass_truncation: float = 1e-15) -> PrivacyLossDistribution:
        """Itself, so many times."""
        count = whole(num_times, "num_times", least=1)
        return self._of(None if self.mechanism is None else self.mechanism * count)


def identity(value_discretization_interval: float = 1e-4, pessimistic_estimate: bool = True) -> PrivacyLossDistribution:
    """Nothing is spent."""
    return PrivacyLossDistribution(None, "add-remove", value_discretization_interval, pessimistic_estimate)


# Mechanisms that spend the same when a record is added and when one is removed. Samples do not.
_SYMMETRIC = {"dp", "discrete_gaussian", "discrete_laplace", "gaussian", "gdp", "laplace", "randomized_response"}


def _is_symmetric(mechanism: Mechanism) -> bool:
    return all(part._name in _SYMMETRIC or _is_mirrored(part) for part, _ in mechanism.uses)


def _is_mirrored(part: Mechanism) -> bool:
    """Whether a pair of laws has the same masses with its laws exchanged."""
    if not isinstance(part, Pair) or part.p is None or part.q is None:
        return False
    p, q = part.p, part.q
    return sorted(zip(p, q)) == sorted(zip(q, p))


def _sampled(
    mechanism: Mechanism, sampling_prob: float, relation: Relation, interval: float, pessimistic: bool
) -> PrivacyLossDistribution:
    probability = number(sampling_prob, "sampling_prob", above=0.0, most=1.0)
    sampled = mechanism if probability == 1 else mechanism.poisson(probability)
    return PrivacyLossDistribution(sampled, relation, interval, pessimistic)


def _whole(given: int, name: str, least: int = 0) -> int:
    """What noise on whole numbers is described by; not as a float, as in the other project."""
    if not isinstance(given, Integral):
        raise ValueError(f"{name} is {given!r}, but must be a whole number")
    return whole(given, name, least=least)


def _relation(neighboring_relation: Any) -> tuple[Relation, int]:
    """The relation, and how many times as far a record moves a sum."""
    if neighboring_relation is not None and neighboring_relation.name == "REPLACE_ONE":
        return "replace", 2
    return "add-remove", 1


def from_gaussian_mechanism(
    standard_deviation: float,
    sensitivity: float = 1,
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    log_mass_truncation_bound: float = -50,
    sampling_prob: float = 1.0,
    use_connect_dots: bool = True,
    neighboring_relation: Any = None,
) -> PrivacyLossDistribution:
    """Gaussian noise."""
    relation, factor = _relation(neighboring_relation)
    noise = Gaussian(standard_deviation, factor * number(sensitivity, "sensitivity", above=0.0))
    return _sampled(noise, sampling_prob, relation, value_discretization_interval, pessimistic_estimate)


def from_laplace_mechanism(
    parameter: float,
    sensitivity: float = 1,
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    sampling_prob: float = 1.0,
    use_connect_dots: bool = True,
    neighboring_relation: Any = None,
) -> PrivacyLossDistribution:
    """Laplace noise."""
    relation, factor = _relation(neighboring_relation)
    noise = Laplace(parameter, factor * number(sensitivity, "sensitivity", above=0.0))
    return _sampled(noise, sampling_prob, relation, value_discretization_interval, pessimistic_estimate)


def from_discrete_laplace_mechanism(
    parameter: float,
    sensitivity: int = 1,
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    sampling_prob: float = 1.0,
    use_connect_dots: bool = False,
) -> PrivacyLossDistribution:
    """Discrete Laplace noise with probabilities proportional to e^(−parameter·|x|)."""
    # A smaller scale is less private: for an upper bound the quotient is rounded down, for a lower one up.
    scale = math.nextafter(1 / number(parameter, "parameter", above=0.0), 0.0 if pessimistic_estimate else math.inf)
    noise = DiscreteLaplace(scale, _whole(sensitivity, "sensitivity", 1))
    return _sampled(noise, sampling_prob, "add-remove", value_discretization_interval, pessimistic_estimate)


def from_discrete_gaussian_mechanism(
    sigma: float,
    sensitivity: int = 1,
    truncation_bound: int | None = None,
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    sampling_prob: float = 1.0,
    use_connect_dots: bool = False,
) -> PrivacyLossDistribution:
    """Discrete Gaussian noise, whole or, if a bound is given, up to that bound only: which is another mechanism.

    >>> cut_off = from_discrete_gaussian_mechanism(1.0, truncation_bound=2)
    >>> round(cut_off.get_delta_for_epsilon(10.0), 8)
    0.05448868
    """
    distance = _whole(sensitivity, "sensitivity", 1)
    noise = DiscreteGaussian(sigma, distance)
    if truncation_bound is not None:
        return _sampled(
            _cut_off(noise.sigma, distance, _whole(truncation_bound, "truncation_bound")),
            sampling_prob,
            "add-remove",
            value_discretization_interval,
            pessimistic_estimate,
        )
    return _sampled(noise, sampling_prob, "add-remove", value_discretization_interval, pessimistic_estimate)


def _cut_off(sigma: float, sensitivity: int, bound: int) -> Pair:
    """Discrete Gaussian noise that is never beyond a bound, outcome by outcome."""
    weights = {x: math.exp(-0.5 * (x / sigma) ** 2) for x in range(-bound, bound + 1)}
    whole = math.fsum(weights.values())
    outcomes = range(-bound, bound + sensitivity + 1)
    moved, unmoved = ([weights.get(x - shift, 0.0) / whole for x in outcomes] for shift in (sensitivity, 0))
    return Pair(moved, unmoved)


def from_mixture_gaussian_mechanism(
    standard_deviation: float,
    sensitivities: Sequence[float],
    sampling_probs: Sequence[float],
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    log_mass_truncation_bound: float = -50,
    use_connect_dots: bool = True,
) -> PrivacyLossDistribution:
    """Gaussian noise on a sum that moves by a random sensitivity."""
    noise = GaussianMixture(standard_deviation, sensitivities, sampling_probs)
    return PrivacyLossDistribution(noise, "add-remove", value_discretization_interval, pessimistic_estimate)


def from_randomized_response(
    noise_parameter: float,
    num_buckets: int,
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    neighboring_relation: Any = None,
) -> PrivacyLossDistribution:
    """A category that is replaced by a uniform one with probability ``noise_parameter``."""
    num_buckets = whole(num_buckets, "num_buckets", least=2)
    given = NeighboringRelation.REPLACE_ONE
    if neighboring_relation is not None:
        given = NeighboringRelation[neighboring_relation.name]
    reader = Reader(given, ())
    spent = reader.read(RandomizedResponseDpEvent(noise_parameter, num_buckets))
    if not spent.is_private:
        raise ValueError("noise_parameter must be above 0: without noise there is no privacy")
    return PrivacyLossDistribution(
        spent.mechanism(), reader.relation_name, value_discretization_interval, pessimistic_estimate
    )


def from_two_probability_mass_functions(
    log_probability_mass_function_lower: Any,
    log_probability_mass_function_upper: Any,
    pessimistic_estimate: bool = True,
    value_discretization_interval: float = 1e-4,
    log_mass_truncation_bound: float = -math.inf,
    symmetric: bool = True,
) -> PrivacyLossDistribution:
    """A pair of discrete laws, as dictionaries from outcomes to logarithms of probabilities.

    Both directions are looked at, whether or not the laws are said to be symmetric.
    """
    lower, upper = log_probability_mass_function_lower, log_probability_mass_function_upper
    outcomes = sorted(set(lower) | set(upper), key=repr)

    def masses(logarithms: Any) -> list[float]:
        return [math.exp(logarithms.get(outcome, -math.inf)) for outcome in outcomes]

    mechanism = Pair(masses(upper), masses(lower))
    return PrivacyLossDistribution(mechanism, "add-remove", value_discretization_interval, pessimistic_estimate)


def from_privacy_parameters(privacy_parameters: Any, value_discretization_interval: float = 1e-4) -> PrivacyLossDistribution:
    """Any (ε, δ)-DP mechanism: the parameters have ``epsilon`` and ``delta``."""
    spent = ApproximateDp(number(privacy_parameters.epsilon, "epsilon"), number(privacy_parameters.delta, "delta"))
    return PrivacyLossDistribution(spent, "add-remove", value_discretization_interval)


def from_truncated_subsampled_gaussian_mechanism(*given: Any, **named: Any) -> PrivacyLossDistribution:
    """Not supported: nothing is proved here for batches that are truncated."""
    raise NotImplementedError(
        "truncated batches are not supported: nothing is proved for them here; use Poisson samples, or samples of fixed size"
    )
