"""An account that grows while a program runs."""

from __future__ import annotations

from typing import Any

from .answer import Answer
from .mechanism import Compose, Mechanism, Relation, Repeat

_VERSION = 1


class Accountant:
    """Adds up what is spent, step by step, and answers at any time.

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
        self.relation: Relation = relation
        self.method = method
        self.tolerance = tolerance
        self._counts: dict[Mechanism, int] = {}

    def step(self, mechanism: Mechanism, count: int = 1) -> None:
        """One more use of a mechanism, or ``count`` of them."""
        # The engine checks the count, and the type of the mechanism.
        repeated = Repeat(mechanism, count)
        self._counts[mechanism] = self._counts.get(mechanism, 0) + repeated.parameters["count"]

    @property
    def steps(self) -> int:
        """How many uses were added."""
        return sum(self._counts.values())

    @property
    def mechanism(self) -> Mechanism | None:
        """All that was spent, as one mechanism; ``None`` if nothing was."""
        uses = [mechanism if count == 1 else mechanism * count for mechanism, count in self._counts.items()]
        if not uses:
            return None
        return uses[0] if len(uses) == 1 else Compose(*uses)

    def epsilon(self, delta: float) -> Answer:
        """The ε spent so far at this δ."""
        return self._spent().epsilon(
            delta, relation=self.relation, method=self.method, tolerance=self.tolerance
        )

    def delta(self, epsilon: float) -> Answer:
        """The δ spent so far at this ε."""
        return self._spent().delta(
            epsilon, relation=self.relation, method=self.method, tolerance=self.tolerance
        )

    def _spent(self) -> Mechanism:
        # Nothing spends like a mechanism that is (0, 0)-DP.
        from .catalogue import ApproximateDp

        return self.mechanism or ApproximateDp(0.0)

    def reset(self) -> None:
        """Forgets all steps."""
        self._counts.clear()

    def state_dict(self) -> dict[str, Any]:
        """The state as numbers, texts, lists and dictionaries, fit for JSON and for checkpoints."""
        import json

        return {
            "version": _VERSION,
            "relation": self.relation,
            "method": self.method,
            "tolerance": self.tolerance,
            "steps": [
                {"mechanism": json.loads(mechanism.to_json()), "count": count}
                for mechanism, count in self._counts.items()
            ],
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes on a state that :meth:`state_dict` gave."""
        import json

        if state.get("version") != _VERSION:
            raise ValueError(
                f"the state has version {state.get('version')!r}, but must have version {_VERSION}; "
                "load it with the release that wrote it"
            )
        counts: dict[Mechanism, int] = {}
        for step in state["steps"]:
            mechanism = Mechanism.from_json(json.dumps(step["mechanism"]))
            counts[mechanism] = counts.get(mechanism, 0) + Repeat(mechanism, step["count"]).parameters["count"]
        self.relation, self.method, self.tolerance = state["relation"], state["method"], state["tolerance"]
        self._counts = counts

    def __getstate__(self) -> dict[str, Any]:
        return self.state_dict()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._counts = {}
        self.load_state_dict(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Accountant) and self.state_dict() == other.state_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Accountant of {self.steps} steps: {self.mechanism or 'nothing spent'}>"

    def _repr_html_(self) -> str:
        from .notebook import accountant_html

        return accountant_html(self)
