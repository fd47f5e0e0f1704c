"""Arrays of answers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast, overload

from .answer import _GIVEN, Guarantee, Reading, Unknown, _Frozen

if TYPE_CHECKING:
    from types import EllipsisType

    import numpy as np
    import pandas as pd  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from numpy.typing import DTypeLike, NDArray

_T = TypeVar("_T")


class Answers(_Frozen):
    """The answers to an array of questions: about one composition, or about a mechanism in each row.

    As an array they are their private ends: upper ends, except for false negative rates. Each interval is certified like that of an
    :class:`Answer`; if all are about one composition, the ends can differ from those of single answers in the last digits, as it serves all
    questions.

    >>> import hockeystick as hs
    >>> answers = hs.Gaussian(2.0).epsilon([1e-5, 1e-6, 1e-7])
    >>> answers.upper.shape
    (3,)
    >>> bool((answers.lower <= answers.upper).all())
    True
    >>> answers[0].given, answers[-1] <= 3.0, len(answers[:2]), (answers <= 2.0).tolist()
    (1e-05, True, 2, [True, False, False])
    >>> [f"{answer:.2f}" for answer in answers]
    ['2.00', '2.26', '2.50']

    Rows without an answer are NaN in arrays. :meth:`rows` has ``None`` for one in which nothing was asked, and the exception for one
    in which something is wrong, which an index raises. No such row is within any budget:

    >>> answers = hs.epsilon(["gaussian(sigma=2)", None, "gaussian(sigma=0)"], 1e-6)
    >>> (answers <= 3.0).tolist(), (answers > 3.0).tolist(), list(answers.errors)
    ([True, False, False], [False, True, True], [2])
    >>> [type(row).__name__ for row in answers.rows()]
    ['Reading', 'NoneType', 'ValueError']
    """

    __slots__ = ("unknown", "given", "lower", "upper", "guarantee", "method", "errors", "shortfalls")
    _parts: ClassVar[tuple[str, ...]] = __slots__
    # Operators are left to this class, also where it stands on the right.
    __array_priority__ = 1000.0

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
    errors: dict[int, Exception]
    """What is wrong with rows, by their place."""
    shortfalls: dict[int, str]
    """Why answers are not what was asked for, by the place of the row. Only rows with mechanisms of their own say so."""

    def __init__(
        self,
        unknown: Unknown,
        given: NDArray[np.float64],
        lower: NDArray[np.float64],
        upper: NDArray[np.float64],
        guarantee: Guarantee,
        method: str,
        errors: dict[int, Exception] | None = None,
        shortfalls: dict[int, str] | None = None,
    ) -> None:
        self._set(unknown, given, lower, upper, guarantee, method, errors or {}, shortfalls or {})

    @property
    def _private(self) -> NDArray[np.float64]:
        return self.lower if self.unknown == "fnr" else self.upper

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.float64]:
        private = self._private
        array = private if dtype is None else private.astype(dtype)
        return array.copy() if copy else array

    def to_json(self) -> str:
        """A list of all of them, each as :meth:`Reading.to_dict` has it, in the order of the flattened array. A row in which nothing was
        asked is null, and one in which something is wrong has an ``error``.

        >>> import json, hockeystick as hs
        >>> [one["delta"] for one in json.loads(hs.Gaussian(2.0).epsilon([1e-5, 1e-6]).to_json())]
        [1e-05, 1e-06]
        """
        flat = Answers(
            self.unknown,
            self.given.ravel(),
            self.lower.ravel(),
            self.upper.ravel(),
            self.guarantee,
            self.method,
            self.errors,
            self.shortfalls,
        )
        written = [
            row.to_dict() if isinstance(row, Reading) else None if row is None else {"error": str(row)}
            for row in flat.rows()
        ]
        return json.dumps(written, allow_nan=False)

    def rows(self) -> list[Reading | Exception | None]:
        """What there is of each row: its answer, what is wrong with it, or ``None`` where nothing was asked.

        >>> import hockeystick as hs
        >>> hs.delta(["laplace(scale=2)", "laplace(scale=-2)", None], 0.25).rows()  # doctest: +ELLIPSIS
        [<δ ≤ 0.1175030974154... at ε = 0.25, certified, closed-form>, ValueError(...), None]
        """
        import numpy as np

        is_asked = ~np.isnan(self.upper)
        return [self[row] if is_asked[row] else self.errors.get(row) for row in range(len(self))]

    def to_pandas(self) -> pd.DataFrame:
        """A table of pandas with a row for each question: what was given, the ends, and what is wrong.

        >>> import hockeystick as hs
        >>> hs.Gaussian(2.0).epsilon([1e-5, 1e-6]).to_pandas().columns.tolist()  # doctest: +SKIP
        ['delta', 'lower', 'upper', 'error']
        """
        import pandas as pd

        return pd.DataFrame(self._columns())

    def to_arrow(self) -> pa.Table:
        """The same as a table of Arrow, with nulls for what is missing."""
        import pyarrow as pa

        kind = {"error": pa.string()}
        return pa.table(
            {
                name: pa.array(values, kind.get(name, pa.float64()), from_pandas=True)
                for name, values in self._columns().items()
            }
        )

    def _columns(self) -> dict[str, object]:
        errors = [str(self.errors[row]) if row in self.errors else None for row in range(len(self))]
        return {_GIVEN[self.unknown]: self.given, "lower": self.lower, "upper": self.upper, "error": errors}

    def __len__(self) -> int:
        return len(self.upper)

    @overload
    def __getitem__(self, index: int) -> Reading: ...
    @overload
    def __getitem__(
        self, index: slice | EllipsisType | list[int] | list[bool] | NDArray[np.integer] | NDArray[np.bool_]
    ) -> Answers: ...
    def __getitem__(self, index: object) -> Reading | Answers:
        """One of them, or several, as NumPy counts: whole numbers, slices, lists, masks, and tuples of these."""
        import numpy as np

        # What an index is, NumPy knows; a whole number gives numbers.
        chosen = cast(slice, index)
        given, lower, upper = self.given[chosen], self.lower[chosen], self.upper[chosen]
        has_more = bool(self.errors or self.shortfalls)
        if upper.ndim:
            places = np.arange(self.upper.size).reshape(self.upper.shape)[chosen].ravel().tolist() if has_more else []
            errors, shortfalls = _moved(self.errors, places), _moved(self.shortfalls, places)
            return Answers(self.unknown, given, lower, upper, self.guarantee, self.method, errors, shortfalls)
        low, high = float(lower), float(upper)
        if math.isnan(high):
            row = int(np.arange(self.upper.size).reshape(self.upper.shape)[chosen])
            raise self.errors.get(row) or ValueError(f"row {row} asks nothing, and has no answer; see rows()")
        # Of a row that has a lower end both are proven.
        is_proven = self.guarantee == "upper-bound" and not math.isnan(low)
        guarantee: Guarantee = "certified" if is_proven else self.guarantee
        return Reading(self.unknown, float(given), None if math.isnan(low) else low, high, guarantee, self.method)

    def __iter__(self) -> Iterator[Reading]:
        for index in range(len(self)):
            yield self[index]

    def _compared(self, name: str, other: object) -> NDArray[np.bool_]:
        # Of an array without elements nothing is asked; of another every element, as if it stood alone.
        import numpy as np

        if self.guarantee == "estimate":
            raise TypeError("estimates prove nothing, and cannot be compared; compare np.asarray(answers)")
        wide = np.asarray(other, dtype=np.float64)
        if np.isnan(wide).any():
            raise ValueError("the number to compare with is NaN; give a number")
        private = self._private
        # What has no answer is not proven to be within anything.
        outward = -math.inf if self.unknown == "fnr" else math.inf
        compared: NDArray[np.bool_] = getattr(np.where(np.isnan(self.upper), outward, private), name)(wide)
        return compared

    def __le__(self, other: object) -> NDArray[np.bool_]:
        return self._compared("__le__", other)

    def __lt__(self, other: object) -> NDArray[np.bool_]:
        return self._compared("__lt__", other)

    def __ge__(self, other: object) -> NDArray[np.bool_]:
        return self._compared("__ge__", other)

    def __gt__(self, other: object) -> NDArray[np.bool_]:
        return self._compared("__gt__", other)

    def __repr__(self) -> str:
        return f"<{self.upper.size} answers for {self.unknown}, {self.guarantee}, {self.method}>"

    def _repr_html_(self) -> str:
        from .notebook import answers_html

        return answers_html(self)


def _moved(given: dict[int, _T], places: list[int]) -> dict[int, _T]:
    """What goes with some of the rows, at their new places."""
    return {new: given[old] for new, old in enumerate(places) if old in given}
