"""An interval that stands for its private end: the float to quote."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import NoReturn, SupportsIndex, TypeAlias, overload

from . import rounding


# Beside an array the result is an array of truth values, of which the interface of floats does not speak.
_Operator: TypeAlias = Callable[[object, object], bool]
_AT_MOST: _Operator = operator.le  # type: ignore[assignment]
_BELOW: _Operator = operator.lt  # type: ignore[assignment]
_AT_LEAST: _Operator = operator.ge  # type: ignore[assignment]
_ABOVE: _Operator = operator.gt  # type: ignore[assignment]
_EQUALS: _Operator = operator.eq
_DIFFERS: _Operator = operator.ne


class PrivateEnd(float):
    """A float with the truth on its safe side.

    What is asked of it as a number is answered so that no more privacy is promised than was proven: it compares as the private end
    does, ``round`` and ``format`` never move it to the other side, and ``int`` is refused. (Printf-style ``"%.4f" % answer`` is out of reach:
    it rounds to nearest.) Sums, products and the like are those of plain floats, and plain floats: rounded to nearest, and on the
    safe side only if what is done to them keeps sides.
    """

    __slots__ = ()

    # NumPy leaves operators to this class, also where it stands on the right.
    __array_priority__ = 1000.0

    @property
    def _outward(self) -> float:
        """Where rounding is safe: ∞ or −∞."""
        return math.inf

    def _check_comparable(self, other: object) -> None:
        """Raises a TypeError if nothing follows from a comparison."""

    def _compared(self, compare: _Operator, other: object) -> bool:
        self._check_comparable(other)
        if isinstance(other, bool):
            raise TypeError("an answer is compared with a number, not with a truth value")
        if getattr(other, "ndim", 0) == 0 and other != other:
            raise ValueError("the number to compare with is NaN; give a number")
        return compare(self._beside(other), _widened(other))

    def _beside(self, other: object) -> float:
        """The plain number; as NumPy has it beside what is NumPy's, which would take a float for one of few digits."""
        if not hasattr(other, "dtype"):
            return float(self)
        import numpy as np

        return np.float64(self)

    def __le__(self, other: float, /) -> bool:
        return self._compared(_AT_MOST, other)

    def __lt__(self, other: float, /) -> bool:
        return self._compared(_BELOW, other)

    def __ge__(self, other: float, /) -> bool:
        return self._compared(_AT_LEAST, other)

    def __gt__(self, other: float, /) -> bool:
        return self._compared(_ABOVE, other)

    def __eq__(self, other: object, /) -> bool:
        return _EQUALS(self._beside(other), _widened(other))

    def __ne__(self, other: object, /) -> bool:
        return _DIFFERS(self._beside(other), _widened(other))

    def __hash__(self) -> int:
        return hash(float(self))

    def __add__(self, other: float, /) -> float:
        return self._beside(other) + _plain(other)

    def __radd__(self, other: float, /) -> float:
        return _plain(other) + self._beside(other)

    def __sub__(self, other: float, /) -> float:
        return self._beside(other) - _plain(other)

    def __rsub__(self, other: float, /) -> float:
        return _plain(other) - self._beside(other)

    def __mul__(self, other: float, /) -> float:
        return self._beside(other) * _plain(other)

    def __rmul__(self, other: float, /) -> float:
        return _plain(other) * self._beside(other)

    def __truediv__(self, other: float, /) -> float:
        return self._beside(other) / _plain(other)

    def __rtruediv__(self, other: float, /) -> float:
        return _plain(other) / self._beside(other)

    @overload
    def __round__(self, digits: None = None, /) -> int: ...
    @overload
    def __round__(self, digits: SupportsIndex, /) -> float: ...
    def __round__(self, digits: SupportsIndex | None = None, /) -> float:
        if digits is None:
            return math.ceil(self) if self._outward > 0 else math.floor(self)
        return rounding.rounded(float(self), operator.index(digits), self._outward)

    def __int__(self) -> NoReturn:
        raise TypeError("int() cuts digits off, and may promise too much; take round(), math.ceil() or math.floor()")

    __trunc__ = __int__

    def __format__(self, specification: str, /) -> str:
        if not specification or specification.endswith("s"):
            return format(str(self), specification)
        return rounding.text(float(self), specification, self._outward)


def _plain(number: float) -> float:
    return float(number) if isinstance(number, PrivateEnd) else number


def _widened(other: object) -> object:
    """Plain, and without loss as many digits as a double has: comparisons are exact."""
    if isinstance(other, PrivateEnd):
        return float(other)
    if getattr(getattr(other, "dtype", None), "kind", "") != "f" or getattr(other, "itemsize", 8) >= 8:
        return other
    return other.astype("f8")  # type: ignore[attr-defined]
