"""Answers: intervals that contain the truth, and what they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import digits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    from ._engine import _PlainAnswer

Guarantee = Literal["certified", "upper-bound", "estimate"]
Unknown = Literal["epsilon", "delta", "tpr", "fnr", "renyi"]


_SYMBOLS: dict[str, tuple[str, str]] = {
    "epsilon": ("ε", "δ"),
    "delta": ("δ", "ε"),
    "tpr": ("TPR", "FPR"),
    "fnr": ("FNR", "FPR"),
    "renyi": ("D", "α"),
}


class Budget(NamedTuple):
    """Where the width of an answer comes from: upper bounds on the contributions to its half-width."""

    discretisation: float
    aliasing: float
    truncation: float
    quadrature: float
    roundoff: float


class _Frozen:
    """Values that never change, compare by all of their parts and can be pickled."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an answer does not change; {name} cannot be set")

    def _values(self) -> tuple[Any, ...]:
        slots: tuple[str, ...] = type(self).__slots__
        return tuple([getattr(self, name) for name in slots])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._values()


class Answer(_Frozen):
    """An interval ``[lower, upper]`` that contains the truth.

    ``float(answer)`` is the upper end, the one to quote.

    >>> import hockeystick as hs
    >>> answer = hs.Gaussian(2.0).epsilon(delta=1e-6)
    >>> answer.guarantee, answer.method, answer.direction
    ('certified', 'closed-form', 'remove')
    >>> float(answer) == answer.upper
    True
    """

    __slots__ = (
        "unknown",
        "given",
        "lower",
        "upper",
        "guarantee",
        "method",
        "direction",
        "budget",
        "shortfall",
        "notes",
    )

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
    direction: str
    """The direction of the relation that spends the most."""
    budget: Budget
    """Where the width comes from."""
    shortfall: str | None
    """Why this is not what was asked for, if it is not."""
    notes: tuple[str, ...]
    """What the reader should know about how the question was taken."""

    def __init__(
        self,
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
    ) -> None:
        values = (unknown, given, lower, upper, guarantee, method, direction, budget, shortfall, notes)
        for name, value in zip(Answer.__slots__, values):
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    @classmethod
    def _of(cls, unknown: Unknown, given: float, plain: _PlainAnswer) -> Answer:
        lower, upper, guarantee, method, direction, budget, shortfall, notes = plain
        return cls(
            unknown,
            given,
            lower,
            upper,
            guarantee,  # type: ignore[arg-type]
            method,
            direction,
            Budget(*budget),
            shortfall,
            tuple(notes),
        )

    @property
    def width(self) -> float:
        """``upper − lower``; infinite without a lower end.

        >>> import hockeystick as hs
        >>> hs.Gaussian(2.0).epsilon(delta=1e-6).width < 1e-12
        True
        """
        return float("inf") if self.lower is None else self.upper - self.lower

    def __float__(self) -> float:
        return self.upper

    def _symbols(self) -> tuple[str, str]:
        return _SYMBOLS[self.unknown]

    def __str__(self) -> str:
        asked, known = self._symbols()
        return f"{asked} {digits.relation(self.guarantee, self.lower, self.upper)} at {known} = {self.given:g}"

    def __repr__(self) -> str:
        asked, known = self._symbols()
        sign = "≈" if self.guarantee == "estimate" else "≤"
        return f"<{asked} {sign} {self.upper!r} at {known} = {self.given!r}, {self.guarantee}, {self.method}>"

    def _repr_html_(self) -> str:
        from .notebook import answer_html

        return answer_html(self)


class Answers(_Frozen):
    """The answers to an array of questions about one composition.

    As an array they are their upper ends. Each interval is certified like that of an :class:`Answer`; the ends can differ
    from those of single answers in the last digits, as one composition serves all questions.

    >>> import hockeystick as hs
    >>> answers = hs.Gaussian(2.0).epsilon([1e-5, 1e-6, 1e-7])
    >>> answers.upper.shape
    (3,)
    >>> bool((answers.lower <= answers.upper).all())
    True
    """

    __slots__ = ("unknown", "given", "lower", "upper", "guarantee", "method")

    unknown: Unknown
    """What was asked for."""
    given: NDArray[np.float64]
    """The numbers in the questions."""
    lower: NDArray[np.float64]
    """At most the truth; NaN where the method proves no lower end."""
    upper: NDArray[np.float64]
    """At least the truth, unless ``guarantee`` is ``"estimate"``."""
    guarantee: Guarantee
    """What all of them promise."""
    method: str
    """How they were computed; ``auto`` if not all in the same way."""

    def __init__(
        self,
        unknown: Unknown,
        given: NDArray[np.float64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        guarantee: Guarantee,
        method: str,
    ) -> None:
        for name, value in zip(Answers.__slots__, (unknown, given, lower, upper, guarantee, method)):
            object.__setattr__(self, name, value)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.float64]:
        array = self.upper if dtype is None else self.upper.astype(dtype)
        return array.copy() if copy else array

    def __len__(self) -> int:
        return len(self.upper)

    def __repr__(self) -> str:
        return f"<{self.upper.size} answers for {self.unknown}, {self.guarantee}, {self.method}>"
