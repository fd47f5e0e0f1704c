"""What all accountants share: they differ in the method that answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...mechanism import Mechanism
from .dp_event_builder import DpEventBuilder, check_event, whole
from .reading import Reader, Spent
from .relation import NeighboringRelation, Unsupported, UnsupportedEventError

__all__ = ["NeighboringRelation", "PrivacyAccountant", "UnsupportedEventError"]

# Where a selection is bounded if nothing else is asked for.
DEFAULT_ORDERS = (*(1 + step / 10 for step in range(1, 110)), *range(12, 65), 128, 256, 512, 1024)


class CompositionErrorDetails(NamedTuple):
    """The part of an event that cannot be accounted for, and why."""

    invalid_event: Any
    error_message: str


class PrivacyAccountant:
    """Adds up events, and answers at any time."""

    _method = "auto"

    def __init__(
        self,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
        orders: Sequence[float] = DEFAULT_ORDERS,
    ) -> None:
        self._given_relation = neighboring_relation
        self._reader = Reader(NeighboringRelation[neighboring_relation.name], orders)
        self._ledger = DpEventBuilder()
        self._spent = Spent()

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
        check_event(event)
        return self._maybe_compose(event, 0, False) is None

    def compose(self, event: Any, count: int = 1) -> Any:
        """Adds an event, and returns the accountant."""
        check_event(event)
        problem = self._maybe_compose(event, count, False)
        if problem is not None:
            raise UnsupportedEventError(
                f"Unsupported event: {event}. Error: [{problem.error_message}] "
                f"caused by subevent {problem.invalid_event}."
            )
        self._ledger.compose(event, count)
        self._maybe_compose(event, count, True)
        return self

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> CompositionErrorDetails | None:
        """Why the event cannot be composed; ``None`` if it can, and then it is if that is asked for."""
        try:
            spent = self._reader.read(event)
        except Unsupported as problem:
            return CompositionErrorDetails(problem.invalid_event, problem.error_message)
        for mechanism in spent.uses:
            try:
                mechanism.delta(1.0, relation=self._reader.relation_name, method=self._method)
            except ValueError as reason:
                return CompositionErrorDetails(event, str(reason))
        if do_compose:
            self._spent.add(spent, whole(count, "count"))
        return None

    def get_epsilon(self, target_delta: float) -> float:
        """An ε that is at least what was spent at δ."""
        if not target_delta >= 0:
            raise ValueError(f"target_delta is {target_delta}, but must be between 0 and 1")
        if not self._spent.is_private:
            return math.inf
        mechanism = self._spent.mechanism()
        if target_delta >= 1 or mechanism is None:
            return 0.0
        if target_delta == 0:
            return self._pure(mechanism)
        upper = mechanism.epsilon(target_delta, relation=self._reader.relation_name, method=self._rule).upper
        return upper if self._spent.xi == 0 else math.nextafter(self._spent.xi + upper, math.inf)

    def get_delta(self, target_epsilon: float) -> float:
        """A δ that is at least what was spent at ε."""
        if not self._spent.is_private:
            return 1.0
        mechanism = self._spent.mechanism()
        if mechanism is None:
            return 0.0
        # Beyond all finite losses, what is left is the mass at infinity.
        epsilon = 1e300 if target_epsilon == math.inf else target_epsilon
        if self._spent.xi:
            if epsilon < self._spent.xi:
                return 1.0
            epsilon = max(0.0, math.nextafter(epsilon - self._spent.xi, 0.0))
        return mechanism.delta(epsilon, relation=self._reader.relation_name, method=self._rule).upper

    @property
    def _rule(self) -> str:
        # With ξ, every divergence is larger by ξ. A bound that depends on D − ε alone moves by as much: that of `rdp`.
        return "rdp" if self._spent.xi else self._method

    def _pure(self, mechanism: Mechanism) -> float:
        """The largest loss: an ε beyond which δ is proven to vanish, if there is one."""
        relation = self._reader.relation_name
        if self._spent.xi:
            return math.inf
        return mechanism.epsilon(0.0, relation=relation).upper
