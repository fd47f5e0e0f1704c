"""An account that grows while a program runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import NamedTuple, TypedDict, cast

from . import _engine
from .answer import Answer
from .mechanism import Compose, Mechanism, Relation, Repeat

_VERSION = 1


class StepState(TypedDict):
    """A mechanism in its JSON form, and how often it was used."""

    mechanism: object
    count: int


class State(TypedDict):
    """What :meth:`Accountant.state_dict` writes."""

    version: int
    relation: Relation
    method: str
    tolerance: float | None
    steps: list[StepState]


class _Settings(NamedTuple):
    """How questions are asked: checked when they are given, and not at the first question."""

    relation: Relation = "add-remove"
    method: str = "auto"
    tolerance: float | None = None

    def checked(self) -> _Settings:
        _engine.check_settings(*self)
        return self


class Accountant:
    """Adds up what is spent, step by step, and answers at any time.

    Several threads may use one accountant: every step is counted, and an answer is about the steps that were counted when it was
    asked for. (Whoever asks before spending needs a lock of their own, or another thread spends in between.)

    >>> import hockeystick as hs
    >>> accountant = hs.Accountant()
    >>> step = hs.Gaussian(1.0).poisson(0.01)
    >>> for _ in range(100):
    ...     accountant.step(step)
    >>> accountant.steps
    100
    >>> accountant.mechanism
    parse("poisson(gaussian(sigma=1), rate=0.01) * 100")
    >>> accountant.epsilon(delta=1e-6) == (step * 100).epsilon(delta=1e-6)
    True

    An accountant can be pickled, and its state written as JSON:

    >>> again = hs.Accountant()
    >>> again.load_state_dict(accountant.state_dict())
    >>> again == accountant
    True
    """

    def __init__(
        self,
        *,
        relation: Relation = "add-remove",
        method: str = "auto",
        tolerance: float | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._settings = _Settings(relation, method, tolerance).checked()
        self._counts: dict[Mechanism, int] = {}

    @property
    def relation(self) -> Relation:
        """Which datasets are neighbours."""
        return self._settings.relation

    @relation.setter
    def relation(self, relation: Relation) -> None:
        with self._lock:
            self._settings = self._settings._replace(relation=relation).checked()

    @property
    def method(self) -> str:
        """How questions are answered."""
        return self._settings.method

    @method.setter
    def method(self, method: str) -> None:
        with self._lock:
            self._settings = self._settings._replace(method=method).checked()

    @property
    def tolerance(self) -> float | None:
        """The relative width that is wanted."""
        return self._settings.tolerance

    @tolerance.setter
    def tolerance(self, tolerance: float | None) -> None:
        with self._lock:
            self._settings = self._settings._replace(tolerance=tolerance).checked()

    def step(self, mechanism: Mechanism, count: int = 1) -> None:
        """One more use of a mechanism, or ``count`` of them."""
        # The engine checks the count, and the type of the mechanism.
        uses = Repeat(mechanism, count).count
        with self._lock:
            self._counts[mechanism] = self._counts.get(mechanism, 0) + uses

    def _now(self) -> tuple[dict[Mechanism, int], _Settings]:
        """What was counted, all of it at one moment."""
        with self._lock:
            return dict(self._counts), self._settings

    def _at_once(self) -> tuple[int, Mechanism | None]:
        """How many steps there are, and what they spend."""
        counts = self._now()[0]
        return sum(counts.values()), _composed(counts)

    @property
    def steps(self) -> int:
        """How many uses were added."""
        return sum(self._now()[0].values())

    @property
    def mechanism(self) -> Mechanism | None:
        """All that was spent, as one mechanism; ``None`` if nothing was."""
        return _composed(self._now()[0])

    def epsilon(self, delta: float) -> Answer:
        """The ε spent so far at this δ."""
        counts, settings = self._now()
        return _spent(counts).epsilon(delta, **settings._asdict())

    def delta(self, epsilon: float) -> Answer:
        """The δ spent so far at this ε."""
        counts, settings = self._now()
        return _spent(counts).delta(epsilon, **settings._asdict())

    def reset(self) -> None:
        """Forgets all steps."""
        with self._lock:
            self._counts = {}

    def state_dict(self) -> State:
        """The state as numbers, texts, lists and dictionaries, fit for JSON and for checkpoints."""
        counts, settings = self._now()
        return {
            "version": _VERSION,
            "relation": settings.relation,
            "method": settings.method,
            "tolerance": settings.tolerance,
            "steps": [
                {"mechanism": json.loads(mechanism.to_json()), "count": count}
                for mechanism, count in counts.items()
            ],
        }

    def load_state_dict(self, state: Mapping[str, object] | State) -> None:
        """Takes on a state that :meth:`state_dict` gave. One that is refused changes nothing."""
        if state.get("version") != _VERSION:
            raise ValueError(
                f"the state has version {state.get('version')!r}, but must have version {_VERSION}; "
                "load it with the release that wrote it"
            )
        known = cast(State, state)
        counts: dict[Mechanism, int] = {}
        for step in known["steps"]:
            mechanism = Mechanism.from_json(json.dumps(step["mechanism"]))
            counts[mechanism] = counts.get(mechanism, 0) + Repeat(mechanism, step["count"]).count
        settings = _Settings(known["relation"], known["method"], known["tolerance"]).checked()
        with self._lock:
            self._counts, self._settings = counts, settings

    def __getstate__(self) -> State:
        return self.state_dict()

    def __setstate__(self, state: State) -> None:
        self._lock = threading.Lock()
        self.load_state_dict(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Accountant) and self._now() == other._now()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        steps, spent = self._at_once()
        return f"<Accountant of {steps} steps: {spent or 'nothing spent'}>"

    def _repr_html_(self) -> str:
        from .notebook import accountant_html

        return accountant_html(self)


def _composed(counts: dict[Mechanism, int]) -> Mechanism | None:
    uses = [mechanism if count == 1 else mechanism * count for mechanism, count in counts.items()]
    if not uses:
        return None
    return uses[0] if len(uses) == 1 else Compose(*uses)


def _spent(counts: dict[Mechanism, int]) -> Mechanism:
    # Nothing spends like a mechanism that is (0, 0)-DP.
    from .catalogue import ApproximateDp

    return _composed(counts) or ApproximateDp(0.0)
