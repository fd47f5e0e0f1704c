"""Numbers as text: no more digits than are certain."""

from __future__ import annotations

import math


def relation(guarantee: str, lower: float | None, upper: float) -> str:
    """What is known of a number, with its sign of relation.

    >>> relation("certified", 0.1234567, 0.1234569)
    '= 0.1234568 ± 1e-7'
    >>> relation("upper-bound", None, 1.5)
    '≤ 1.5'
    >>> relation("certified", 1.0, math.inf)
    '≥ 1.0'
    >>> relation("certified", 0.0, 0.0)
    '= 0.0'
    """
    if guarantee == "estimate":
        return f"≈ {upper:.3g}"
    if lower is None:
        return f"≤ {upper!r}"
    if lower == upper:
        return f"= {upper!r}"
    if math.isinf(upper):
        return f"≥ {lower!r}"
    return f"= {interval(lower, upper)}"


def interval(lower: float, upper: float) -> str:
    """A decimal and a radius of one digit that together contain the interval.

    >>> interval(2.01234567891, 2.01234567895)
    '2.01234567893 ± 3e-11'
    >>> interval(6.100257795654288e-87, 6.100257991271702e-87)
    '6.1002579e-87 ± 2e-94'
    >>> interval(1.2e-300, 1.4e-300)
    '1.3e-300 ± 2e-301'
    """
    from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal, localcontext

    with localcontext() as context:
        context.prec = 800
        low, high = Decimal(lower), Decimal(upper)
        middle, half = (low + high) / 2, (high - low) / 2
        unit = Decimal(1).scaleb(half.adjusted())
        centre = middle.quantize(unit, rounding=ROUND_HALF_EVEN)
        radius = max(high - centre, centre - low).quantize(unit, rounding=ROUND_CEILING)
        if radius >= 10 * unit:
            unit = unit.scaleb(1)
            centre = middle.quantize(unit, rounding=ROUND_HALF_EVEN)
            radius = max(high - centre, centre - low).quantize(unit, rounding=ROUND_CEILING)
        shown = f"{centre:f}" if 1e-4 <= abs(upper) < 1e16 else _scientific(centre)
        return f"{shown} ± {radius.scaleb(-radius.adjusted()):.0f}e{radius.adjusted()}"


def _scientific(number: object) -> str:
    digits, _, exponent = f"{number:e}".partition("e")
    return f"{digits}e{int(exponent)}"
