"""Numbers as text: the digits that the command line prints, decided in one place, the engine."""

from __future__ import annotations

from . import _engine


def relation(guarantee: str, lower: float | None, upper: float) -> str:
    """What is known of a number, with its sign of relation.

    What is printed contains the interval and is at most twice as wide.

    >>> relation("certified", 2.59438, 2.59451)
    '= 2.59445 ± 7e-5'
    >>> relation("certified", 1.21e-300, 1.59e-300)
    '= 1.4e-300 ± 2e-301'
    >>> relation("certified", 0.0, 0.125)
    'between 0 and 0.125'
    >>> relation("certified", 0.5, 0.5)
    '= 0.5 (exact)'
    >>> relation("certified", 1.0, float("inf"))
    'between 1 and ∞'
    >>> relation("upper-bound", None, 1.5)
    '≤ 1.5'
    >>> relation("estimate", None, 1.5)
    '≈ 1.500000000'
    """
    return _engine.shown(guarantee == "estimate", lower, upper)
