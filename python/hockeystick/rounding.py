"""Numbers with fewer digits, rounded to one side only.

A decimal stands for the double that it reads back as: 0.1 is not below the double 0.1, though it is by 5·10⁻¹⁸. Otherwise an ε of 0.1
would have to be shown as 0.2 if one digit is wanted.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext

# All digits of every double, before and after the point.
_ALL_DIGITS = 1100

_SPECIFICATION = re.compile(
    r"(?P<layout>(?:.?[<>=^])?[-+ ]?z?#?0?\d*[,_]?)(?:\.(?P<precision>\d+))?(?P<kind>[eEfFgG%]?)", re.DOTALL
)


def rounded(number: float, digits: int, toward: float) -> float:
    """The double of a decimal with so many digits after the point, not below the number if ``toward`` is ∞, and not above it if −∞.

    >>> rounded(3.48551, 3, math.inf), rounded(3.48551, 3, -math.inf), rounded(0.1, 1, math.inf)
    (3.486, 3.485, 0.1)
    """
    if math.isinf(number):
        return number
    nearest = float(_to_unit(number, -digits, ROUND_HALF_EVEN))
    return nearest if _is_safe(nearest, number, toward) else float(_to_unit(number, -digits, _directed(toward)))


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
        if math.isinf(candidate) or _is_safe(float(shown), number, toward):
            return format(candidate, specification)
        # One unit in the last place that is shown, and from there on double by double.
        further = float(_to_unit(number, int(shown.as_tuple().exponent), _directed(toward)))
        candidate = further if further not in (number, candidate) else math.nextafter(candidate, toward)


def _shown(number: float, specification: str) -> Decimal:
    written = format(number, specification)
    value = Decimal(written.rstrip("%"))
    return value.scaleb(-2) if written.endswith("%") else value


def _is_safe(decimal: float, number: float, toward: float) -> bool:
    return decimal >= number if toward > 0 else decimal <= number


def _directed(toward: float) -> str:
    return ROUND_CEILING if toward > 0 else ROUND_FLOOR


def _to_unit(number: float, exponent: int, rounding: str) -> Decimal:
    with localcontext() as context:
        context.prec = _ALL_DIGITS
        return Decimal(number).quantize(Decimal(1).scaleb(exponent), rounding=rounding)
