"""What an event spends: the mechanisms it stands for, with their counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
from .dp_event_builder import whole
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

    def _noise(self, size: float, make: type[Mechanism], *rest: object) -> Spent:
        # Without noise there is no privacy; what is no number at all is for the engine to refuse.
        if size == 0:
            return NOT_PRIVATE
        if size < 0:
            raise ValueError(f"Noise multiplier is {size}, but must be non-negative")
        return Spent.of(make(size, *rest))  # type: ignore[arg-type]

    @property
    def _sensitivity(self) -> int:
        # A record that is replaced can move a sum from one end of its range to the other.
        return 2 if self.replaces else 1

    def _NoOpDpEvent(self, event: Any) -> Spent:
        return NOTHING

    def _NonPrivateDpEvent(self, event: Any) -> Spent:
        return NOT_PRIVATE

    def _GaussianDpEvent(self, event: Any) -> Spent:
        return self._noise(event.noise_multiplier, Gaussian, self._sensitivity)

    def _LaplaceDpEvent(self, event: Any) -> Spent:
        return self._noise(event.noise_multiplier, Laplace, self._sensitivity)

    def _DiscreteLaplaceDpEvent(self, event: Any) -> Spent:
        parameter, distance = event.noise_parameter, event.sensitivity * self._sensitivity
        if parameter == 0:
            return NOT_PRIVATE
        # A smaller scale is less private, so the quotient is rounded down.
        return Spent.of(DiscreteLaplace(math.nextafter(1 / parameter, 0.0), distance))

    def _MixtureOfGaussiansDpEvent(self, event: Any) -> Spent:
        if self.replaces:
            raise unsupported(event, "neighboring_relation must be `ADD_OR_REMOVE_ONE` or `REPLACE_SPECIAL`")
        if all(shift == 0 for shift in event.sensitivities):
            return NOTHING
        shifts, weights = list(event.sensitivities), list(event.sampling_probs)
        return self._noise(event.standard_deviation, GaussianMixture, shifts, weights)

    def _ZCDpEvent(self, event: Any) -> Spent:
        if not (event.rho >= 0 and event.xi >= 0):
            raise ValueError(f"rho is {event.rho} and xi is {event.xi}, but both must be 0 or above")
        if event.rho == 0:
            # Divergences of all orders are bounded by ξ: pure differential privacy.
            return Spent.of(ApproximateDp(event.xi)) if event.xi else NOTHING
        return Spent({Zcdp(event.rho): 1}, xi=event.xi)

    def _SelfComposedDpEvent(self, event: Any) -> Spent:
        count = whole(event.count, "count")
        if count < 0:
            raise ValueError(f"count is {count}, but must be 0 or more")
        return Spent().add(self.read(event.event), count)

    def _ComposedDpEvent(self, event: Any) -> Spent:
        all_of_them = Spent()
        for part in event.events:
            all_of_them.add(self.read(part))
        return all_of_them

    def _PoissonSampledDpEvent(self, event: Any) -> Spent:
        rate = event.sampling_probability
        if not (0 <= rate <= 1):
            raise ValueError(f"Sampling rate is {rate}, but must be from 0 to 1")
        if rate == 0:
            return NOTHING
        return self._sampled(event, lambda inner: inner if rate == 1 else inner.poisson(rate))

    def _SampledWithoutReplacementDpEvent(self, event: Any) -> Spent:
        if not self.replaces:
            raise unsupported(event, "neighboring_relation must be `REPLACE_ONE`")
        if event.sample_size == 0:
            return NOTHING
        # A larger rate is less private, so the quotient is rounded up.
        rate = min(1.0, math.nextafter(event.sample_size / event.source_dataset_size, math.inf))
        return self._sampled(event, lambda inner: inner.subset(rate))

    def _sampled(self, event: Any, sample: Any) -> Spent:
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
        given = event.step_counts if isinstance(event.step_counts, Sequence) else [event.step_counts]
        counts = [whole(count, "step_counts") for count in given]
        if any(count < 0 for count in counts):
            raise ValueError(f"step_counts is {event.step_counts}, but must be non-negative")
        height = max((count.bit_length() for count in counts), default=0)
        return Spent().add(self._noise(event.noise_multiplier, Gaussian), height)

    def _RepeatAndSelectDpEvent(self, event: Any) -> Spent:
        inner = self.read(event.event)
        mechanism = inner.mechanism()
        if mechanism is None or not inner.is_private:
            return Spent(is_private=inner.is_private)
        try:
            return Spent.of(
                selection.bounded(mechanism, inner.xi, event.mean, event.shape, self.orders, self.relation_name)
            )
        except selection.NotBounded as reason:
            raise unsupported(event, str(reason)) from None

    def _RandomizedResponseDpEvent(self, event: Any) -> Spent:
        noise, buckets = event.noise_parameter, whole(event.num_buckets, "num_buckets")
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
            truth = 1 - noise + noise / buckets
            return Spent.of(Pair([truth, 1 - truth], [1 / buckets, 1 - 1 / buckets]))
        # The odds of the truth are 1 + k(1 − p)/p; a larger ε is less private, so the logarithm is rounded up.
        from decimal import Decimal, localcontext

        with localcontext() as context:
            context.prec = 50
            odds = 1 + buckets * (1 - Decimal(noise)) / Decimal(noise)
            epsilon = math.nextafter(float(odds.ln()), math.inf)
        return Spent.of(KRandomizedResponse(buckets, epsilon))


__all__ = ["Reader", "Spent", "UnsupportedEventError"]
