"""The door that every number from outside goes through, here and in the adapters.

A number is what Python, NumPy, `decimal` and `fractions` call one, also in an array without dimensions. A truth value is not a
number, nor is text, nor an array of one element. Whether a number is in range is said in one place, too: here for what
adapters understand by themselves, and in the engine for everything else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = Union[Sequence[float], NDArray[np.floating[Any]], NDArray[np.integer[Any]]]

MOST_USES = 10**15
"""The largest count that the engine takes."""


def number(
    given: object,
    name: str,
    *,
    least: float = -math.inf,
    above: float = -math.inf,
    most: float = math.inf,
    allowed: str = "",
) -> float:
    """A double, however it was given. With a bound it must be finite and within; without one the range is for the engine to check.
    ``allowed`` says in other words what is within.

    >>> from decimal import Decimal
    >>> number(Decimal("0.5"), "rate", least=0.0, most=1.0)
    0.5
    >>> number(float("nan"), "rate", least=0.0, most=1.0)
    Traceback (most recent call last):
    ...
    ValueError: rate is nan, but must be from 0 to 1
    >>> number(True, "rate")
    Traceback (most recent call last):
    ...
    TypeError: rate must be a number, not bool
    """
    value = _double(given, name)
    is_free = math.isinf(least) and math.isinf(above) and math.isinf(most)
    if not is_free and not (math.isfinite(value) and least <= value <= most and value > above):
        raise ValueError(f"{name} is {value!r}, but must be {allowed or _range(least, above, most)}")
    return value


def numbers(given: object, name: str) -> NDArray[np.float64]:
    """An array of doubles, however the numbers were given; without dimensions for one of them.

    >>> numbers([1, 2], "delta").tolist()
    [1.0, 2.0]
    >>> numbers(["1"], "delta")
    Traceback (most recent call last):
    ...
    TypeError: delta must be a number or an array of numbers, not ['1']
    """
    import numpy as np

    if is_number(given):
        return np.array(number(given, name))
    array = np.asarray(given)
    if array.ndim == 0 or (array.dtype.kind not in "fiu" and array.size > 0):
        raise TypeError(f"{name} must be a number or an array of numbers, not {given!r:.60}")
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


def exact(given: object) -> int | float:
    """The whole number that something is, or a double that is none.

    >>> from decimal import Decimal
    >>> exact(Decimal(3)), exact(Decimal("2.00000000000000000000001")) > 2, exact(float("inf"))
    (3, True, inf)
    """
    if type(given) is int:
        return given
    value = number(given, "a count")
    if not math.isfinite(value):
        return value
    nearest = int(given)  # type: ignore[call-overload]
    if nearest == given:
        return int(nearest)
    return value if value != nearest else math.nextafter(value, math.inf)


def whole(given: object, name: str, *, least: int = 0, most: int = MOST_USES, allowed: str = "") -> int:
    """A whole number, perhaps written as a float. A fraction is refused, and never cut off.

    >>> whole(3.0, "count")
    3
    >>> whole(999.9, "count")
    Traceback (most recent call last):
    ...
    ValueError: count is 999.9, but must be a whole number from 0 to 10^15
    """
    if not is_number(given):
        raise TypeError(f"{name} must be a whole number, not {type(given).__name__}")
    count = exact(given)
    if not isinstance(count, int) or not least <= count <= most:
        raise ValueError(f"{name} is {given}, but must be {allowed or f'a whole number from {least} to {_power(most)}'}")
    return count


def wholes(given: object, name: str, *, least: int = 0, allowed: str = "") -> list[int]:
    """Whole numbers: one of them, or a list, tuple or array.

    >>> import numpy as np
    >>> wholes(np.array([2, 3]), "counts"), wholes(5, "counts")
    ([2, 3], [5])
    """
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) and getattr(given, "ndim", 1) != 0:
        return [whole(count, name, least=least, allowed=allowed) for count in given]
    return [whole(given, name, least=least, allowed=allowed)]


def rate(given: object, name: str) -> float:
    """The probability that a record is in a sample; 0 where nothing is sampled."""
    return number(given, name, least=0.0, most=1.0)


def size(given: object, name: str) -> float:
    """The size of noise; 0 where there is none."""
    return number(given, name, least=0.0)


def steps_of(epochs: object, rate: float) -> int:
    """How many steps a training of so many epochs has. A part of a step counts as one.

    The rate is rounded if a batch is no power of two of all records: a quotient next to a whole number is that number, above or
    below.

    >>> steps_of(10, 1 / 49), steps_of(1, 0.3)
    (490, 4)
    """
    quotient = number(epochs, "epochs", above=0.0) / rate
    nearest = round(quotient) if quotient <= MOST_USES else MOST_USES + 1
    is_next_to = abs(quotient - nearest) <= 4 * math.ulp(quotient)
    return whole(nearest if is_next_to or quotient > MOST_USES else math.ceil(quotient), "the number of steps", least=1)


def is_number(given: object) -> bool:
    """Whether something is one real number.

    >>> import numpy as np
    >>> [is_number(given) for given in (1, np.float32(1), np.array(1.0), True, np.True_, 1j, "1", [1], None)]
    [True, True, True, False, False, False, False, False, False]
    """
    # Nearly all are: a training asks with every step.
    if type(given) is float or type(given) is int:
        return True
    # What NumPy calls a number: not its truth values, complex numbers, times and texts. Arrays of one element are arrays.
    kind = getattr(getattr(given, "dtype", None), "kind", "f")
    is_truth = isinstance(given, bool) or str(getattr(given, "dtype", "")).endswith("bool")
    converts = hasattr(type(given), "__float__") or hasattr(type(given), "__index__")
    return converts and not is_truth and kind in "fiu" and getattr(given, "ndim", 0) == 0


def _double(given: object, name: str) -> float:
    if not is_number(given):
        raise TypeError(f"{name} must be a number, not {type(given).__name__}")
    try:
        return float(given)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(f"{name} is larger than every double") from None


def _power(most: int) -> str:
    return "10^15" if most == MOST_USES else str(most)


def _range(least: float, above: float, most: float) -> str:
    if math.isfinite(least) and math.isfinite(most):
        return f"from {least:g} to {most:g}"
    if math.isfinite(above) and math.isfinite(most):
        return f"above {above:g} and at most {most:g}"
    if math.isfinite(above):
        return f"a finite number above {above:g}"
    return f"a finite number, {least:g} or above" if math.isfinite(least) else f"a finite number, at most {most:g}"
