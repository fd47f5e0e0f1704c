"""How an answer comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _engine
from .answer import Answer
from .question import _expression, one_of

if TYPE_CHECKING:
    from .mechanism import Mechanism, Relation


class Step(NamedTuple):
    """What was planned for one direction."""

    direction: str
    engine: str
    reason: str


class Explanation(NamedTuple):
    """An answer with its plan and the theorems it rests on; its budget is that of the answer."""

    answer: Answer
    plans: tuple[Step, ...]
    theorems: tuple[str, ...]

    def __str__(self) -> str:
        plans = [f"{plan.direction}: {plan.engine}, because {plan.reason}" for plan in self.plans]
        return "\n".join([str(self.answer), *plans, *self.theorems])

    def _repr_html_(self) -> str:
        from .notebook import explanation_html

        return explanation_html(self)


def explain(
    mechanism: Mechanism | str,
    *,
    delta: float | None = None,
    epsilon: float | None = None,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Explanation:
    """The plan, the budget and the theorems behind ε at δ, or δ at ε.

    >>> import hockeystick as hs
    >>> explanation = hs.explain(hs.Gaussian(1.0).poisson(0.01) * 1000, delta=1e-5)
    >>> explanation.plans[0].direction, explanation.answer.method
    ('remove', 'contour')
    """
    unknown, given, at = one_of(delta, epsilon)
    plain, plans, theorems = _engine.explain(_expression(mechanism), *at, relation, method, tolerance)
    return Explanation(Answer._of(unknown, given, plain), tuple(Step(*plan) for plan in plans), tuple(theorems))
