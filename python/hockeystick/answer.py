"""An answer: an interval that contains the truth, and what it promises."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, Union

from . import digits
from .private_end import PrivateEnd

if TYPE_CHECKING:
    from ._engine import _PlainAnswer

Guarantee = Literal["certified", "upper-bound", "estimate"]
Unknown = Literal["epsilon", "delta", "tpr", "fnr", "renyi"]

_Json: TypeAlias = Union[str, float, None, list[str], dict[str, float]]

_SYMBOLS: dict[str, tuple[str, str]] = {
    "epsilon": ("ε", "δ"),
    "delta": ("δ", "ε"),
    "tpr": ("TPR", "FPR"),
    "fnr": ("FNR", "FPR"),
    "renyi": ("D", "α"),
}
# What is given in the question, as JSON calls it.
_GIVEN: dict[str, str] = {"epsilon": "delta", "delta": "epsilon", "tpr": "fpr", "fnr": "fpr", "renyi": "order"}


class Budget(NamedTuple):
    """Where the width of an answer comes from: upper bounds on the contributions to its half-width."""

    discretisation: float
    aliasing: float
    truncation: float
    quadrature: float
    roundoff: float


class _Frozen:
    """Values that never change, are made again from all of their parts, and can be pickled."""

    __slots__ = ()
    # The names of all parts, in the order in which a value is made of them.
    _parts: ClassVar[tuple[str, ...]] = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an answer does not change; {name} cannot be set")

    def _set(self, *values: object) -> None:
        for name, value in zip(self._parts, values):
            object.__setattr__(self, name, value)

    def _values(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self._parts])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._values()


class Reading(_Frozen, PrivateEnd):
    """An interval ``[lower, upper]`` that contains the truth, and a float: its private end.

    The private end is ``upper``, the one to quote; of a false negative rate, which is better large, it is ``lower``. As a number a
    reading is that end, and never promises more:

    >>> import hockeystick as hs
    >>> answer = (hs.Gaussian(4.0) * 10).epsilon(delta=1e-5)
    >>> answer.upper  # doctest: +ELLIPSIS
    3.3414094692...
    >>> float(answer) == answer.upper, answer <= 3.35, answer <= 3.34
    (True, True, False)
    >>> f"{answer:.4f}", f"{answer:.2f}", round(answer, 1), 2 * answer > 6.68
    ('3.3415', '3.35', 3.4, True)

    - ``answer <= x`` is true only if that is proven; ``answer > x`` is true whenever it is not, so that ``if answer > budget: stop()``
      stops in doubt. (That the truth is above x is proven by ``answer.lower > x``.) Hence ``min``, ``max`` and ``sorted`` go by private
      ends. NaN is refused, and so are comparisons of ε with δ.
    - ``==`` with a number is that of the private end; two answers are equal if all of their parts are.
    - ``round`` and formats round up (false negative rates down), so that ``f"{answer:.4f}"`` may be quoted.
    - Sums, products and the like are plain floats.
    - An estimate proves nothing, so comparing one raises a TypeError; compare ``float(answer)`` if a number without a guarantee will do.
    """

    __slots__ = ("unknown", "given", "lower", "upper", "guarantee", "method")
    _parts: ClassVar[tuple[str, ...]] = __slots__

    unknown: Unknown
    """What was asked for."""
    given: float
    """The number in the question: δ if ε was asked for, ε if δ was."""
    lower: float | None
    """At most the truth; ``None`` if the method proves no lower end."""
    upper: float
    """At least the truth, unless ``guarantee`` is ``"estimate"``; infinite if no finite number will do."""
    guarantee: Guarantee
    """``certified``: both ends proven. ``upper-bound``: no lower end. ``estimate``: no proof."""
    method: str
    """How it was computed."""

    def __new__(
        cls,
        unknown: Unknown,
        given: float,
        lower: float | None,
        upper: float,
        guarantee: Guarantee,
        method: str,
    ) -> Reading:
        reading = cls._at(unknown, lower, upper)
        reading._set(unknown, given, lower, upper, guarantee, method)
        return reading

    @classmethod
    def _at(cls, unknown: Unknown, lower: float | None, upper: float) -> Reading:
        """The float that the interval is."""
        return PrivateEnd.__new__(cls, (lower or 0.0) if unknown == "fnr" else upper)

    @property
    def _outward(self) -> float:
        return -math.inf if self.unknown == "fnr" else math.inf

    def _check_comparable(self, other: object) -> None:
        for reading in (self, other):
            if isinstance(reading, Reading) and reading.guarantee == "estimate":
                raise TypeError(
                    "an estimate proves nothing, and cannot be compared; compare float(answer) if a number without a "
                    "guarantee will do"
                )
        if isinstance(other, Reading) and other.unknown != self.unknown:
            raise TypeError(f"{self._symbols()[0]} cannot be compared with {other._symbols()[0]}")

    def __eq__(self, other: object, /) -> bool:
        if isinstance(other, Reading):
            return type(self) is type(other) and self._values() == other._values()
        return super().__eq__(other)

    def __ne__(self, other: object, /) -> bool:
        if isinstance(other, Reading):
            return not self == other
        return super().__ne__(other)

    __hash__ = PrivateEnd.__hash__

    @property
    def width(self) -> float:
        """``upper − lower``; infinite without a lower end.

        >>> import hockeystick as hs
        >>> hs.Gaussian(2.0).epsilon(delta=1e-6).width < 1e-12
        True
        """
        return math.inf if self.lower is None else self.upper - self.lower

    def to_dict(self) -> dict[str, _Json]:
        """All that is known, as the command line writes it in JSON: an infinite end is the text ``"inf"``.

        >>> import hockeystick as hs
        >>> known = hs.ApproximateDp(0.5, 1e-3).epsilon(1e-6).to_dict()
        >>> known["query"], known["delta"], known["upper"]
        ('epsilon', 1e-06, 'inf')
        """
        return {
            "query": self.unknown,
            _GIVEN[self.unknown]: _finite(self.given),
            "lower": None if self.lower is None else _finite(self.lower),
            "upper": _finite(self.upper),
            "guarantee": self.guarantee,
            "method": self.method,
        }

    def to_json(self) -> str:
        """The same as a text. (``json.dumps(answer)`` writes the private end alone: an answer is a float.)

        >>> import json, hockeystick as hs
        >>> answer = hs.Gaussian(2.0).epsilon(delta=1e-6)
        >>> json.loads(answer.to_json())["upper"] == json.loads(json.dumps(answer)) == answer.upper
        True
        """
        return json.dumps(self.to_dict(), allow_nan=False)

    def _symbols(self) -> tuple[str, str]:
        return _SYMBOLS[self.unknown]

    def __str__(self) -> str:
        asked, known = self._symbols()
        return f"{asked} {digits.relation(self.guarantee, self.lower, self.upper)} at {known} = {self.given:g}"

    def __repr__(self) -> str:
        asked, known = self._symbols()
        sign = "≈" if self.guarantee == "estimate" else "≥" if self.unknown == "fnr" else "≤"
        return f"<{asked} {sign} {float(self)!r} at {known} = {self.given!r}, {self.guarantee}, {self.method}>"

    def _repr_html_(self) -> str:
        from .notebook import reading_html

        return reading_html(self)


class Answer(Reading):
    """The answer to one question: a :class:`Reading` that says where its width comes from.

    >>> import hockeystick as hs
    >>> answer = hs.Gaussian(2.0).epsilon(delta=1e-6)
    >>> answer.guarantee, answer.method, answer.direction
    ('certified', 'closed-form', 'remove')
    >>> float(answer) == answer.upper
    True
    """

    __slots__ = ("direction", "budget", "shortfall", "notes")
    _parts: ClassVar[tuple[str, ...]] = Reading._parts + __slots__

    direction: str
    """The direction of the relation that spends the most."""
    budget: Budget
    """Where the width comes from."""
    shortfall: str | None
    """Why this is not what was asked for, if it is not."""
    notes: tuple[str, ...]
    """What the reader should know about how the question was taken."""

    def __new__(
        cls,
        unknown: Unknown,
        given: float,
        lower: float | None,
        upper: float,
        guarantee: Guarantee,
        method: str,
        direction: str,
        budget: Budget,
        shortfall: str | None,
        notes: tuple[str, ...],
    ) -> Answer:
        answer = cls._at(unknown, lower, upper)
        assert isinstance(answer, Answer)
        answer._set(unknown, given, lower, upper, guarantee, method, direction, budget, shortfall, notes)
        return answer

    @classmethod
    def _of(cls, unknown: Unknown, given: float, plain: _PlainAnswer) -> Answer:
        lower, upper, guarantee, method, direction, budget, shortfall, notes = plain
        return cls(
            unknown,
            given,
            lower,
            upper,
            guarantee,
            method,
            direction,
            Budget(*budget),
            shortfall,
            tuple(notes),
        )

    def to_dict(self) -> dict[str, _Json]:
        known = super().to_dict()
        known["direction"], known["budget"] = self.direction, self.budget._asdict()
        if self.shortfall:
            known["shortfall"] = self.shortfall
        if self.notes:
            known["notes"] = list(self.notes)
        return known


def _finite(number: float) -> float | str:
    """JSON has no infinity."""
    return number if math.isfinite(number) else str(number)
