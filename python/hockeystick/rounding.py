"""Numbers with fewer digits, rounded to one side only."""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext

# All digits of every double, before and after the point.
_ALL_DIGITS = 1100

_SPECIFICATION = re.compile(
    r"(?P<layout>(?:.?[<>=^])?[-+ ]?z?#?0?\d*[,_]?)(?:\.(?P<precision>\d+))?(?P<kind>[eEfFgG%]?)", re.DOTALL
)


def rounded(number: float, digits: int, toward: float) -> float:
    """The double of a decimal with so many digits after the point, not below the number if ``toward`` is ∞, and not above it if −∞.

    >>> rounded(3.48551, 3, math.inf), rounded(3.48551, 3, -math.inf), rounded(0.125, 3, math.inf)
    (3.486, 3.485, 0.125)
    """
    if math.isinf(number):
        return number
    # A double on one side of a decimal is on that side of the nearest double, too.
    return float(_to_unit(Decimal(number), -digits, toward))


def text(number: float, specification: str, toward: float) -> str:
    """What ``format(number, specification)`` writes, with its digits rounded to one side.

    >>> text(3.48551, ".3f", math.inf), text(3.48551, ">8.2f", -math.inf), text(0.00123, ".1%", math.inf)
    ('3.486', '    3.48', '0.2%')
    >>> text(1.0, ".4f", math.inf), text(123456.0, ".3g", math.inf)
    ('1.0000', '1.24e+05')
    """
    found = _SPECIFICATION.fullmatch(specification)
    if found is None:
        raise ValueError(f"the format {specification!r} is not one of a number; write for example .4f or .3g")
    if math.isinf(number) or (found["precision"] is None and not found["kind"]):
        # All digits that tell the double from others.
        return format(number, specification)
    kind, precision = found["kind"] or "g", found["precision"] or "6"
    candidate = number
    while True:
        shown = _shown(candidate, f"#.{precision}{kind}")
        if shown == Decimal(number) or (shown > Decimal(number)) == (toward > 0):
            return format(candidate, specification)
        # One unit in the last place that is shown; more digits than doubles have show the next double.
        unit = int(shown.as_tuple().exponent)
        further = float(_to_unit(Decimal(number), unit, toward))
        candidate = further if further not in (number, candidate) else math.nextafter(candidate, toward)
        if math.isinf(candidate):
            return format(candidate, specification)


def _shown(number: float, specification: str) -> Decimal:
    written = format(number, specification)
    value = Decimal(written.rstrip("%"))
    return value.scaleb(-2) if written.endswith("%") else value


def _to_unit(number: Decimal, exponent: int, toward: float) -> Decimal:
    with localcontext() as context:
        context.prec = _ALL_DIGITS
        return number.quantize(Decimal(1).scaleb(exponent), rounding=ROUND_CEILING if toward > 0 else ROUND_FLOOR)
