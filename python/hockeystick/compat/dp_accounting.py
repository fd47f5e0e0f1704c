"""The interface of ``dp_accounting``: events, accountants, calibration.

Change ``import dp_accounting`` to ``from hockeystick.compat import dp_accounting``; events of the real package are
accepted too.

Where the answers differ, and why:

- The count of a randomised response, and of every other event, is used. (The real ``PLDAccountant`` composes a repeated
  ``RandomizedResponseDpEvent`` once: 100 uses are reported as one.)
- NaN is refused. (The real accountants report ε = 0 for some.)
- Under ``REPLACE_ONE`` additive noise has twice the sensitivity, in both accountants.
- ``value_discretization_interval`` and ``orders`` are accepted and not needed: no grid has to be chosen.
- What has no proof is not supported: Poisson samples under ``REPLACE_ONE``, samples with replacement.

>>> event = SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 1000)
>>> round(PLDAccountant().compose(event).get_epsilon(1e-5), 9)
1.828236667
"""

from __future__ import annotations

import enum
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..catalogue import DiscreteLaplace, Gaussian, GaussianMixture, KRandomizedResponse, Laplace, Pair, Zcdp
from ..mechanism import Compose, Mechanism, Relation
from . import privacy_loss_distribution

__all__ = [
    "ComposedDpEvent",
    "DiscreteLaplaceDpEvent",
    "DpEvent",
    "DpEventBuilder",
    "ExplicitBracketInterval",
    "GaussianDpEvent",
    "LaplaceDpEvent",
    "LowerEndpointAndGuess",
    "MixtureOfGaussiansDpEvent",
    "NeighboringRelation",
    "NoBracketIntervalFoundError",
    "NoOpDpEvent",
    "NonEmptyAccountantError",
    "NonPrivateDpEvent",
    "PLDAccountant",
    "PoissonSampledDpEvent",
    "RandomizedResponseDpEvent",
    "RdpAccountant",
    "SampledWithReplacementDpEvent",
    "SampledWithoutReplacementDpEvent",
    "SelfComposedDpEvent",
    "UnsupportedDpEvent",
    "UnsupportedEventError",
    "ZCDpEvent",
    "calibrate_dp_mechanism",
    "pld",
    "rdp",
]


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


class NeighboringRelation(enum.Enum):
    """Which datasets are neighbours."""

    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2
    REPLACE_SPECIAL = 3


class UnsupportedEventError(Exception):
    """An event that cannot be accounted for."""


class NoBracketIntervalFoundError(Exception):
    """No two values were found with the target between them."""


class NonEmptyAccountantError(ValueError):
    """An accountant that should be fresh has events."""


class DpEventBuilder:
    """Composes events, merging equal neighbours."""

    def __init__(self) -> None:
        self._events: list[tuple[Any, int]] = []

    def compose(self, event: Any, count: int = 1) -> None:
        """One more event, or ``count`` of them."""
        _check_event(event)
        count = _whole(count, "count")
        if count < 1:
            raise ValueError(f"count is {count}, but must be 1 or more; leave the event out")
        if type(event).__name__ == "NoOpDpEvent":
            return
        if type(event).__name__ == "SelfComposedDpEvent":
            event, count = event.event, count * event.count
        if self._events and self._events[-1][0] == event:
            count += self._events.pop()[1]
        self._events.append((event, count))

    def build(self) -> Any:
        """All that was composed, as one event."""
        events = [event if count == 1 else SelfComposedDpEvent(event, count) for event, count in self._events]
        if not events:
            return NoOpDpEvent()
        return events[0] if len(events) == 1 else ComposedDpEvent(events)


class _Accountant:
    """What both accountants share: they differ in the method that answers."""

    _method = "auto"

    def __init__(self, neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE) -> None:
        self._relation = NeighboringRelation[neighboring_relation.name]
        self._given_relation = neighboring_relation
        self._ledger = DpEventBuilder()
        self._uses: dict[Mechanism, int] = {}
        self._is_private = True

    @property
    def neighboring_relation(self) -> Any:
        """The relation that was given."""
        return self._given_relation

    @property
    def ledger(self) -> Any:
        """All events so far, as one."""
        return self._ledger.build()

    def supports(self, event: Any) -> bool:
        """Whether the event can be accounted for."""
        _check_event(event)
        try:
            self._read(event)
        except UnsupportedEventError:
            return False
        return True

    def compose(self, event: Any, count: int = 1) -> Any:
        """Adds an event, and returns the accountant."""
        _check_event(event)
        uses, is_private = self._read(event)
        self._ledger.compose(event, count)
        for mechanism, times in uses:
            self._uses[mechanism] = self._uses.get(mechanism, 0) + times * _whole(count, "count")
        self._is_private = self._is_private and is_private
        return self

    def get_epsilon(self, target_delta: float) -> float:
        """An ε that is at least what was spent at δ."""
        if not target_delta >= 0:
            raise ValueError(f"target_delta is {target_delta}, but must be between 0 and 1")
        if not self._is_private:
            return math.inf
        if target_delta >= 1 or not self._uses:
            return 0.0
        spent = self._spent()
        if target_delta > 0:
            return spent.epsilon(target_delta, relation=self._relation_name(), method=self._method).upper
        # Pure differential privacy: an ε beyond which δ is proven to vanish, if there is one.
        candidate = spent.epsilon(1e-300, relation=self._relation_name()).upper * (1 + 1e-12)
        if math.isfinite(candidate) and spent.delta(candidate, relation=self._relation_name()).upper == 0:
            return candidate
        return math.inf

    def get_delta(self, target_epsilon: float) -> float:
        """A δ that is at least what was spent at ε."""
        if not self._is_private:
            return 1.0
        if not self._uses:
            return 0.0
        # Beyond all finite losses, what is left is the mass at infinity.
        target_epsilon = 1e300 if target_epsilon == math.inf else target_epsilon
        return self._spent().delta(target_epsilon, relation=self._relation_name(), method=self._method).upper

    def _spent(self) -> Mechanism:
        uses = [mechanism * count for mechanism, count in self._uses.items()]
        return uses[0] if len(uses) == 1 else Compose(*uses)

    def _relation_name(self) -> Relation:
        return "replace" if self._relation is NeighboringRelation.REPLACE_ONE else "add-remove"

    def _read(self, event: Any) -> tuple[list[tuple[Mechanism, int]], bool]:
        """The mechanisms of an event with their counts, and whether it is private at all."""
        uses, is_private = _uses(event, self._relation)
        for mechanism, _ in uses:
            try:
                mechanism.delta(1.0, relation=self._relation_name(), method=self._method)
            except ValueError as reason:
                raise UnsupportedEventError(f"Unsupported event: {event}. Error: {reason}") from None
        return uses, is_private


class PLDAccountant(_Accountant):
    """The tightest accountant: every answer is within round-off of the truth wherever the engine is.

    >>> accountant = PLDAccountant(NeighboringRelation.REPLACE_ONE)
    >>> _ = accountant.compose(RandomizedResponseDpEvent(0.5, 2), 100)
    >>> round(accountant.get_epsilon(1e-5), 3)
    90.782
    """

    def __init__(
        self,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
        value_discretization_interval: float = 1e-4,
    ) -> None:
        super().__init__(neighboring_relation)


class RdpAccountant(_Accountant):
    """Accounts by Rényi moments. Orders are chosen by the engine; a list is accepted and not used.

    >>> event = SelfComposedDpEvent(GaussianDpEvent(4.0), 10)
    >>> RdpAccountant().compose(event).get_epsilon(1e-5) >= PLDAccountant().compose(event).get_epsilon(1e-5)
    True
    """

    _method = "rdp"

    def __init__(
        self,
        orders: Sequence[float] | None = None,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
    ) -> None:
        super().__init__(neighboring_relation)


class pld:
    """The submodule ``dp_accounting.pld``.

    >>> round(pld.privacy_loss_distribution.from_laplace_mechanism(2.0).get_epsilon_for_delta(0), 9)
    0.5
    """

    PLDAccountant = PLDAccountant
    privacy_loss_distribution = privacy_loss_distribution


class rdp:
    """The submodule ``dp_accounting.rdp``."""

    RdpAccountant = RdpAccountant


def _check_event(event: Any) -> None:
    if not any(cls.__name__ == "DpEvent" for cls in type(event).__mro__):
        raise TypeError(f"`event` must be `DpEvent`. Found {type(event)}.")


def _whole(number: Any, name: str) -> int:
    try:
        return operator.index(number)
    except TypeError:
        if isinstance(number, float) and number.is_integer():
            return int(number)
        raise TypeError(f"{name} is {number!r}, but must be a whole number") from None


def _uses(event: Any, relation: NeighboringRelation) -> tuple[list[tuple[Mechanism, int]], bool]:
    """The mechanisms of an event with their counts, and whether it is private at all."""
    replaces = relation is NeighboringRelation.REPLACE_ONE
    # A record that is replaced can move a sum from one end of its range to the other.
    sensitivity = 2 if replaces else 1
    name = type(event).__name__
    none: list[tuple[Mechanism, int]] = []

    def noise(size: float, make: Callable[[], Mechanism]) -> tuple[list[tuple[Mechanism, int]], bool]:
        # Without noise there is no privacy; what is no number at all is for the engine to refuse.
        return (none, False) if size == 0 else ([(make(), 1)], True)

    if name == "NoOpDpEvent":
        return none, True
    if name == "NonPrivateDpEvent":
        return none, False
    if name == "GaussianDpEvent":
        sigma = event.noise_multiplier
        return noise(sigma, lambda: Gaussian(sigma, sensitivity))
    if name == "LaplaceDpEvent":
        scale = event.noise_multiplier
        return noise(scale, lambda: Laplace(scale, sensitivity))
    if name == "DiscreteLaplaceDpEvent":
        a, distance = event.noise_parameter, event.sensitivity * sensitivity
        # A smaller scale is less private, so the quotient is rounded down.
        return noise(a, lambda: DiscreteLaplace(math.nextafter(1 / a, 0.0), distance))
    if name == "RandomizedResponseDpEvent":
        return _randomized_response(event, relation)
    if name == "MixtureOfGaussiansDpEvent" and not replaces:
        if all(shift == 0 for shift in event.sensitivities):
            return none, True
        shifts, weights = list(event.sensitivities), list(event.sampling_probs)
        return noise(event.standard_deviation, lambda: GaussianMixture(event.standard_deviation, shifts, weights))
    if name == "ZCDpEvent" and event.xi == 0:
        return ([(Zcdp(event.rho), 1)] if event.rho else none), True
    if name == "SelfComposedDpEvent":
        uses, is_private = _uses(event.event, relation)
        count = _whole(event.count, "count")
        if count < 0:
            raise ValueError(f"count is {count}, but must be 0 or more")
        return ([(mechanism, times * count) for mechanism, times in uses], is_private) if count else (none, True)
    if name == "ComposedDpEvent":
        both = [_uses(part, relation) for part in event.events]
        return [use for uses, _ in both for use in uses], all(is_private for _, is_private in both)
    if name == "PoissonSampledDpEvent":
        if event.sampling_probability == 0:
            return none, True
        uses, is_private = _uses(event.event, relation)
        return [(_one(uses, event).poisson(event.sampling_probability), 1)] if uses else none, is_private
    if name == "SampledWithoutReplacementDpEvent" and replaces:
        uses, is_private = _uses(event.event, relation)
        rate = math.nextafter(event.sample_size / event.source_dataset_size, math.inf)
        if event.sample_size == 0:
            return none, True
        return [(_one(uses, event).subset(min(rate, 1.0)), 1)] if uses else none, is_private
    raise UnsupportedEventError(f"Unsupported event: {event}. Error: nothing is proved for it under {relation}.")


def _one(uses: list[tuple[Mechanism, int]], event: Any) -> Mechanism:
    """What is run on one sample, as one mechanism."""
    parts = [mechanism if count == 1 else mechanism * count for mechanism, count in uses]
    return parts[0] if len(parts) == 1 else Compose(*parts)


def _randomized_response(event: Any, relation: NeighboringRelation) -> tuple[list[tuple[Mechanism, int]], bool]:
    noise, buckets = event.noise_parameter, _whole(event.num_buckets, "num_buckets")
    if relation is NeighboringRelation.ADD_OR_REMOVE_ONE:
        raise UnsupportedEventError(
            f"Unsupported event: {event}. Error: a response cannot be added or removed; "
            "neighboring_relation must be `REPLACE_ONE` or `REPLACE_SPECIAL`."
        )
    if buckets == 1:
        return [], True
    if noise == 0:
        return [], False
    if relation is NeighboringRelation.REPLACE_SPECIAL:
        # The special record answers with any category.
        truth = 1 - noise + noise / buckets
        pair = Pair([truth, 1 - truth], [1 / buckets, 1 - 1 / buckets])
        return [(pair, 1)], True
    # The odds of the truth are 1 + k(1 − p)/p; a larger ε is less private, so the logarithm is rounded up.
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 50
        odds = 1 + buckets * (1 - Decimal(noise)) / Decimal(noise)
        epsilon = math.nextafter(float(odds.ln()), math.inf)
    return [(KRandomizedResponse(buckets, epsilon), 1)], True


@dataclass(frozen=True)
class ExplicitBracketInterval:
    """Two values with the one that is looked for between them."""

    endpoint_1: float
    endpoint_2: float


@dataclass(frozen=True)
class LowerEndpointAndGuess:
    """A value below the one that is looked for, and another to start from."""

    lower_endpoint: float
    initial_guess: float


Parameter = TypeVar("Parameter", int, float)
# Doublings of the gap before the search for a bracket is given up.
_MOST_STEPS = 30
# The interval that is left, relative to the tolerance.
_FINER = 1e-3


def calibrate_dp_mechanism(
    make_fresh_accountant: Callable[[], Any],
    make_event_from_param: Callable[[Any], Any],
    target_epsilon: float,
    target_delta: float,
    bracket_interval: Any = None,
    discrete: bool = False,
    tol: float | None = None,
) -> float:
    """The value of a parameter at which an event just meets (ε, δ), to within ``tol`` and on the private side.

    >>> noise = calibrate_dp_mechanism(PLDAccountant, lambda s: SelfComposedDpEvent(GaussianDpEvent(s), 100), 1, 1e-6)
    >>> PLDAccountant().compose(SelfComposedDpEvent(GaussianDpEvent(noise), 100)).get_epsilon(1e-6) <= 1
    True
    """
    if not callable(make_fresh_accountant):
        raise TypeError(f"make_fresh_accountant must be callable, not {type(make_fresh_accountant).__name__}")
    if not callable(make_event_from_param):
        raise TypeError(f"make_event_from_param must be callable, not {type(make_event_from_param).__name__}")
    if not target_epsilon >= 0:
        raise ValueError(f"target_epsilon must be nonnegative, found {target_epsilon}")
    if not 0 <= target_delta <= 1:
        raise ValueError(f"target_delta must be in range [0, 1], found {target_delta}")
    if bracket_interval is None:
        bracket_interval = LowerEndpointAndGuess(0, 1)
    if tol is None:
        tol = 0.5 if discrete else 1e-6
    elif not tol > 0:
        raise ValueError(f"tol is {tol}, but must be above 0")

    if type(make_fresh_accountant().ledger).__name__ != "NoOpDpEvent":
        raise NonEmptyAccountantError("make_fresh_accountant must make an accountant without events")

    def excess(value: float) -> float:
        event = make_event_from_param(round(value) if discrete else value)
        return float(make_fresh_accountant().compose(event).get_epsilon(target_delta)) - target_epsilon

    one, other = _bracket(excess, bracket_interval)
    meets, misses = (one, other) if excess(one) <= 0 else (other, one)
    while abs(meets - misses) > (1 if discrete else max(_FINER * tol, 1e-14 * abs(meets))):
        middle = (meets + misses) / 2
        if discrete:
            middle = math.floor(middle)
            if middle in (meets, misses):
                break
        if excess(middle) <= 0:
            meets = middle
        else:
            misses = middle
    return round(meets) if discrete else meets


def _bracket(excess: Callable[[float], float], interval: Any) -> tuple[float, float]:
    if type(interval).__name__ == "ExplicitBracketInterval":
        one, other = interval.endpoint_1, interval.endpoint_2
        if (excess(one) <= 0) == (excess(other) <= 0):
            raise ValueError(f"{one} and {other} did not bracket a solution; widen the interval")
        return one, other
    if type(interval).__name__ != "LowerEndpointAndGuess":
        raise TypeError(f"Unrecognized bracket_interval type: {type(interval)}")
    lower, guess = interval.lower_endpoint, interval.initial_guess
    if not lower < guess:
        raise ValueError(f"lower_endpoint is {lower}, but must be less than initial_guess, {guess}")
    is_met = excess(lower) <= 0
    previous, gap = lower, guess - lower
    for _ in range(_MOST_STEPS):
        if (excess(lower + gap) <= 0) != is_met:
            return previous, lower + gap
        previous, gap = lower + gap, 2 * gap
    raise NoBracketIntervalFoundError(
        f"Unable to find a bracketing interval above {lower}; start from another guess"
    )
