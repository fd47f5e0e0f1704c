"""Rényi divergences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _engine
from .arguments import numbers
from .question import _expression
from .sweep import sweep

if TYPE_CHECKING:
    from .answers import Answers
    from .arguments import Numbers
    from .mechanism import Mechanism, Relation


def renyi(
    mechanism: Mechanism | str, orders: Numbers, *, relation: Relation = "add-remove"
) -> Answers:
    """The Rényi divergence at each order of 1 or above, the larger of the directions that the relation asks for.

    Order 1 is the Kullback–Leibler divergence, and infinity the largest loss.

    >>> import hockeystick as hs
    >>> hs.renyi(hs.Gaussian(2.0) * 10, [1.0, 2.0, 8.0]).upper.round(9).tolist()
    [1.25, 2.5, 10.0]
    """
    expression = _expression(mechanism)
    at = numbers(orders, "orders")
    return sweep("renyi", at, lambda given: _engine.renyi(expression, given, relation))
