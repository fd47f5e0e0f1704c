"""What all accountants share: they differ in the method that answers."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...arguments import number, whole
from ...mechanism import Mechanism
from .dp_event_builder import DpEventBuilder, check_event
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
    """Adds up events, and answers at any time.

    Several threads may use one accountant: every event is counted, and an answer is about the events that were counted when it was
    asked for.
    """

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
        self._lock = threading.Lock()
        # What is proven to have an answer: a training composes the same event again and again.
        self._answerable: set[Mechanism] = set()

    def _now(self) -> Spent:
        """All that was spent, at one moment."""
        with self._lock:
            return Spent().add(self._spent)

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
        count = whole(count, "count", least=1)
        problem = self._maybe_compose(event, count, True)
        if problem is not None:
            raise UnsupportedEventError(
                f"Unsupported event: {event}. Error: [{problem.error_message}] "
                f"caused by subevent {problem.invalid_event}."
            )
        return self

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> CompositionErrorDetails | None:
        """Why the event cannot be composed; ``None`` if it can, and then it is if that is asked for."""
        try:
            spent = self._reader.read(event)
        except Unsupported as problem:
            return CompositionErrorDetails(problem.invalid_event, problem.error_message)
        for mechanism in spent.uses:
            if mechanism in self._answerable:
                continue
            try:
                mechanism.delta(1.0, relation=self._reader.relation_name, method=self._method)
            except ValueError as reason:
                return CompositionErrorDetails(event, str(reason))
            self._answerable.add(mechanism)
        if do_compose:
            # What is spent and what is listed change together.
            with self._lock:
                self._ledger.compose(event, count)
                self._spent.add(spent, count)
        return None

    def get_epsilon(self, target_delta: float) -> float:
        """An ε that is at least what was spent at δ."""
        delta = number(target_delta, "target_delta", least=0.0, most=1.0)
        spent = self._now()
        if not spent.is_private:
            return math.inf
        mechanism = spent.mechanism()
        if delta == 1 or mechanism is None:
            return 0.0
        if delta == 0:
            return self._pure(spent, mechanism)
        upper = mechanism.epsilon(delta, relation=self._reader.relation_name, method=self._rule(spent)).upper
        return upper if spent.xi == 0 else math.nextafter(spent.xi + upper, math.inf)

    def get_delta(self, target_epsilon: float) -> float:
        """A δ that is at least what was spent at ε."""
        # Beyond all finite losses, what is left is the mass at infinity.
        epsilon = number(target_epsilon, "target_epsilon")
        epsilon = 1e300 if epsilon == math.inf else number(epsilon, "target_epsilon", least=0.0)
        spent = self._now()
        if not spent.is_private:
            return 1.0
        mechanism = spent.mechanism()
        if mechanism is None:
            return 0.0
        if spent.xi:
            if epsilon < spent.xi:
                return 1.0
            epsilon = max(0.0, math.nextafter(epsilon - spent.xi, 0.0))
        return mechanism.delta(epsilon, relation=self._reader.relation_name, method=self._rule(spent)).upper

    def _rule(self, spent: Spent) -> str:
        # With ξ, every divergence is larger by ξ. A bound that depends on D − ε alone moves by as much: that of `rdp`.
        return "rdp" if spent.xi else self._method

    def _pure(self, spent: Spent, mechanism: Mechanism) -> float:
        """The largest loss: an ε beyond which δ is proven to vanish, if there is one."""
        relation = self._reader.relation_name
        if spent.xi:
            return math.inf
        return mechanism.epsilon(0.0, relation=relation).upper

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()
