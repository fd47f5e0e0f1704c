"""Every method on one question: why accountants disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _engine
from .answer import Answer
from .question import _expression, one_of

if TYPE_CHECKING:
    from .mechanism import Mechanism, Relation


class Compared(NamedTuple):
    """What one method says."""

    method: str
    answer: Answer | None
    """Its answer; ``None`` if it has none."""
    refusal: str | None
    """Why it has none."""
    factor: tuple[float, float] | None
    """How many times too large its upper end is, as an interval; ``None`` where that has no meaning."""


class Comparison(NamedTuple):
    """The best answer, and that of every method."""

    best: Answer
    methods: tuple[Compared, ...]

    def __str__(self) -> str:
        rows = [f"{'auto':<18}{self.best}"]
        for compared in self.methods:
            rows.append(f"{compared.method:<18}{compared.refusal if compared.answer is None else compared.answer}")
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        from .notebook import comparison_html

        return comparison_html(self)


def compare(
    mechanism: Mechanism | str,
    *,
    delta: float | None = None,
    epsilon: float | None = None,
    relation: Relation = "add-remove",
    tolerance: float | None = None,
) -> Comparison:
    """ε at δ, or δ at ε, by every method.

    >>> import hockeystick as hs
    >>> comparison = hs.compare(hs.Gaussian(4.0), delta=1e-5)
    >>> upper = {compared.method: compared.answer.upper for compared in comparison.methods if compared.answer}
    >>> comparison.best.upper <= upper["rdp-optimal"] <= upper["rdp"] <= upper["rdp-classic"]
    True
    """
    unknown, given, at = one_of(delta, epsilon)
    best, opinions = _engine.compare(_expression(mechanism), *at, relation, tolerance)
    methods = tuple(
        Compared(method, None if plain is None else Answer._of(unknown, given, plain), refusal, factor)
        for method, plain, refusal, factor in opinions
    )
    return Comparison(Answer._of(unknown, given, best), methods)
