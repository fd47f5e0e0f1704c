"""What an event spends: the mechanisms it stands for, with their counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ...arguments import number, numbers, rate, size, whole, wholes
from ...catalogue import (
    ApproximateDp,
    DiscreteLaplace,
    Gaussian,
    GaussianMixture,
    KRandomizedResponse,
    Laplace,
    Pair,
    Zcdp,
)
from ...mechanism import Compose, Mechanism, Relation
from . import selection
from .relation import NeighboringRelation, UnsupportedEventError, unsupported


@dataclass
class Spent:
    """Mechanisms with their counts; whether all is private; and ξ of (ξ, ρ)-zCDP, which only moments know of."""

    uses: dict[Mechanism, int] = field(default_factory=dict)
    is_private: bool = True
    xi: float = 0.0

    @classmethod
    def of(cls, mechanism: Mechanism) -> Spent:
        """One use."""
        return cls({mechanism: 1})

    def add(self, other: Spent, count: int = 1) -> Spent:
        """As often as ``count`` says."""
        if count:
            for mechanism, times in other.uses.items():
                self.uses[mechanism] = self.uses.get(mechanism, 0) + times * count
            self.is_private = self.is_private and other.is_private
            # Sums are rounded up.
            self.xi = math.nextafter(self.xi + count * other.xi, math.inf) if other.xi else self.xi
        return self

    def mechanism(self) -> Mechanism | None:
        """All uses as one mechanism; ``None`` if there is none."""
        parts = [mechanism if count == 1 else mechanism * count for mechanism, count in self.uses.items()]
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else Compose(*parts)


NOTHING = Spent()
NOT_PRIVATE = Spent(is_private=False)


class Reader:
    """Reads events under a relation; ``orders`` are those at which a selection is bounded."""

    def __init__(self, relation: NeighboringRelation, orders: Sequence[float]) -> None:
        self.relation = relation
        self.orders = orders

    @property
    def replaces(self) -> bool:
        """Whether one record takes the place of another."""
        return self.relation is NeighboringRelation.REPLACE_ONE

    @property
    def relation_name(self) -> Relation:
        """The relation, as the engine calls it."""
        return "replace" if self.replaces else "add-remove"

    def read(self, event: Any) -> Spent:
        """What an event spends; an error names the part that cannot be accounted for."""
        reader = getattr(self, f"_{type(event).__name__}", None)
        if reader is None:
            raise unsupported(event, "nothing is proved for such an event")
        spent: Spent = reader(event)
        return spent

    def _noise(self, given: float, make: Callable[[float], Mechanism]) -> Spent:
        # Without noise there is no privacy.
        noise = number(given, "Noise multiplier", least=0.0, allowed="finite and non-negative")
        return NOT_PRIVATE if noise == 0 else Spent.of(make(noise))

    @property
    def _sensitivity(self) -> int:
        # A record that is replaced can move a sum from one end of its range to the other.
        return 2 if self.replaces else 1

    def _NoOpDpEvent(self, event: Any) -> Spent:
        return NOTHING

    def _NonPrivateDpEvent(self, event: Any) -> Spent:
        return NOT_PRIVATE

    def _GaussianDpEvent(self, event: Any) -> Spent:
        return self._noise(event.noise_multiplier, lambda noise: Gaussian(noise, self._sensitivity))

    def _LaplaceDpEvent(self, event: Any) -> Spent:
        return self._noise(event.noise_multiplier, lambda noise: Laplace(noise, self._sensitivity))

    def _DiscreteLaplaceDpEvent(self, event: Any) -> Spent:
        parameter = size(event.noise_parameter, "noise_parameter")
        distance = whole(event.sensitivity, "sensitivity", least=1) * self._sensitivity
        if parameter == 0:
            return NOT_PRIVATE
        # A smaller scale is less private, so the quotient is rounded down.
        return Spent.of(DiscreteLaplace(math.nextafter(1 / parameter, 0.0), distance))

    def _MixtureOfGaussiansDpEvent(self, event: Any) -> Spent:
        if self.replaces:
            raise unsupported(event, "neighboring_relation must be `ADD_OR_REMOVE_ONE` or `REPLACE_SPECIAL`")
        shifts, weights = numbers(event.sensitivities, "sensitivities"), numbers(event.sampling_probs, "sampling_probs")
        if shifts.size == weights.size and (shifts == 0).all():
            return NOTHING
        return self._noise(event.standard_deviation, lambda noise: GaussianMixture(noise, shifts, weights))

    def _ZCDpEvent(self, event: Any) -> Spent:
        rho, xi = size(event.rho, "rho"), size(event.xi, "xi")
        if rho == 0:
            # Divergences of all orders are bounded by ξ: pure differential privacy.
            return Spent.of(ApproximateDp(xi)) if xi else NOTHING
        return Spent({Zcdp(rho): 1}, xi=xi)

    def _SelfComposedDpEvent(self, event: Any) -> Spent:
        return Spent().add(self.read(event.event), whole(event.count, "count"))

    def _ComposedDpEvent(self, event: Any) -> Spent:
        all_of_them = Spent()
        for part in event.events:
            all_of_them.add(self.read(part))
        return all_of_them

    def _PoissonSampledDpEvent(self, event: Any) -> Spent:
        sampled = rate(event.sampling_probability, "Sampling rate")
        if sampled == 0:
            return NOTHING
        return self._sampled(event, lambda inner: inner if sampled == 1 else inner.poisson(sampled))

    def _SampledWithoutReplacementDpEvent(self, event: Any) -> Spent:
        if not self.replaces:
            raise unsupported(event, "neighboring_relation must be `REPLACE_ONE`")
        records = whole(event.source_dataset_size, "source_dataset_size", least=1)
        sample = whole(event.sample_size, "sample_size", most=records)
        if sample == 0:
            return NOTHING
        # A larger rate is less private, so the quotient is rounded up.
        share = min(1.0, math.nextafter(sample / records, math.inf))
        return self._sampled(event, lambda inner: inner.subset(share))

    def _sampled(self, event: Any, sample: Callable[[Mechanism], Mechanism]) -> Spent:
        inner = self.read(event.event)
        if inner.xi:
            raise unsupported(event, "nothing is proved for samples of (ξ, ρ)-zCDP mechanisms")
        mechanism = inner.mechanism()
        uses = {} if mechanism is None else {sample(mechanism): 1}
        return Spent(uses, inner.is_private)

    def _SingleEpochTreeAggregationDpEvent(self, event: Any) -> Spent:
        """A leaf is in the sums of at most ⌊log₂ n⌋ + 1 finished nodes, each with its own noise."""
        if self.relation is not NeighboringRelation.REPLACE_SPECIAL:
            raise unsupported(event, "neighboring_relation must be `REPLACE_SPECIAL`")
        counts = wholes(event.step_counts, "step_counts", allowed="whole and non-negative")
        height = max((count.bit_length() for count in counts), default=0)
        return Spent().add(self._noise(event.noise_multiplier, Gaussian), height)

    def _RepeatAndSelectDpEvent(self, event: Any) -> Spent:
        mean = number(event.mean, "mean", above=0.0)
        shape = number(event.shape, "shape")
        if shape != math.inf:
            shape = number(shape, "shape", above=-1.0)
        inner = self.read(event.event)
        mechanism = inner.mechanism()
        if mechanism is None or not inner.is_private:
            return Spent(is_private=inner.is_private)
        try:
            return Spent.of(
                selection.bounded(mechanism, inner.xi, mean, shape, self.orders, self.relation_name)
            )
        except selection.NotBounded as reason:
            raise unsupported(event, str(reason)) from None

    def _RandomizedResponseDpEvent(self, event: Any) -> Spent:
        noise, buckets = rate(event.noise_parameter, "noise_parameter"), whole(event.num_buckets, "num_buckets", least=1)
        if self.relation is NeighboringRelation.ADD_OR_REMOVE_ONE:
            raise unsupported(
                event,
                "a response cannot be added or removed; "
                "neighboring_relation must be `REPLACE_ONE` or `REPLACE_SPECIAL`",
            )
        if buckets == 1:
            return NOTHING
        if noise == 0:
            return NOT_PRIVATE
        if self.relation is NeighboringRelation.REPLACE_SPECIAL:
            # The special record answers with any category.
            exact = 1 - Fraction(noise) + Fraction(noise) / buckets
            uniform = Fraction(1, buckets)
            # Laws further apart are less private: the truth is made likelier under the one, and rarer under the other.
            return Spent.of(Pair([_up(exact), _down(1 - exact)], [_down(uniform), _up(1 - uniform)]))
        # The odds of the truth are 1 + k(1 − p)/p; a larger ε is less private, so the logarithm is rounded up.
        from decimal import Decimal, localcontext

        with localcontext() as context:
            context.prec = 50
            odds = 1 + buckets * (1 - Decimal(noise)) / Decimal(noise)
            epsilon = math.nextafter(float(odds.ln()), math.inf)
        return Spent.of(KRandomizedResponse(buckets, epsilon))


def _up(exact: Fraction) -> float:
    nearest = float(exact)
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)


def _down(exact: Fraction) -> float:
    return -_up(-exact)


__all__ = ["Reader", "Spent", "UnsupportedEventError"]
