"""What an attacker can do: trade-off curve, advantage, detection rate, belief."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from . import _engine
from .answers import Answers
from .arguments import number, numbers
from .question import _expression
from .rounding import rounded, text
from .sweep import sweep

if TYPE_CHECKING:
    from .arguments import Numbers
    from .mechanism import Mechanism, Relation


class Between(NamedTuple):
    """Two numbers with the truth between them.

    ``round`` and formats give the upper end, rounded up. To compare, take an end: a pair is no number.

    >>> f"{Between(0.0923, 0.0924):.3f}", round(Between(0.0923, 0.0924), 2)
    ('0.093', 0.1)
    """

    lower: float
    upper: float

    def __float__(self) -> float:
        return self.upper

    def __round__(self, digits: int = 0, /) -> float:
        return rounded(self.upper, digits, math.inf)

    def __format__(self, specification: str, /) -> str:
        if not specification or specification.endswith("s"):
            return format(str(self), specification)
        return text(self.upper, specification, math.inf)


class Risk(NamedTuple):
    """What the best attack on one record achieves, each as an interval that contains the truth."""

    advantage: Between
    """The largest TPR − FPR."""
    accuracy: Between
    """The largest chance to guess right whether the record is in the data."""
    tpr: Between
    """The largest true positive rate at the false positive rate asked for."""
    belief: Between
    """The belief that an accused record is in the data; with the relation ``add``, that a record called absent is absent."""
    method: str
    """How it was computed."""

    def _repr_html_(self) -> str:
        from .notebook import risk_html

        return risk_html(self)


def risk(
    mechanism: Mechanism | str,
    *,
    fpr: float = 0.01,
    prior: float = 0.5,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Risk:
    """What the best attack achieves with a false positive rate and a prior belief.

    >>> import hockeystick as hs
    >>> found = hs.risk(hs.Gaussian(1.0), fpr=0.01)
    >>> round(found.advantage.upper, 9), round(found.tpr.upper, 9)
    (0.382924923, 0.092362248)
    """
    advantage, accuracy, tpr, belief, used = _engine.risk(
        _expression(mechanism), number(fpr, "fpr"), number(prior, "prior"), relation, method, tolerance
    )
    return Risk(Between(*advantage), Between(*accuracy), Between(*tpr), Between(*belief), used)


def tradeoff(
    mechanism: Mechanism | str,
    fpr: Numbers,
    *,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Answers:
    """The least false negative rate of any attack at each false positive rate.

    >>> import hockeystick as hs
    >>> hs.tradeoff(hs.Gaussian(1.0), [0.05, 0.5]).upper.round(6).tolist()
    [0.740489, 0.158655]
    """
    expression = _expression(mechanism)
    at = numbers(fpr, "fpr")
    return sweep("fnr", at, lambda given: _engine.tradeoff(expression, given, relation, method, tolerance))
