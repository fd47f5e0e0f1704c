"""Many calibrations, a row for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _engine
from .calibration import Calibration
from .columns import Column, Columns, cells, doubles, is_column, is_missing
from .many import Errors, check_errors, filled, raise_first

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .mechanism import Relation


class Calibrations:
    """What calibration found in each row.

    >>> import hockeystick as hs
    >>> found = hs.calibrate_many("gaussian(sigma=?) * {steps}", epsilon=1, delta=1e-6, columns={"steps": [100, 200, None, -1]})
    >>> found.value.round(6).tolist()
    [42.246789, 59.745982, nan, nan]
    >>> found[0].answer <= 1, found.rows()[2], sorted(found.errors)
    (True, None, [3])
    """

    __slots__ = ("errors", "_found")

    errors: dict[int, Exception]
    """What is wrong with rows, by their place."""

    def __init__(self, found: list[Calibration | None], errors: dict[int, Exception]) -> None:
        self._found = found
        self.errors = errors

    @property
    def value(self) -> NDArray[np.float64]:
        """The numbers proven to meet the targets; NaN where there is none."""
        return self._numbers("value")

    @property
    def too_little(self) -> NDArray[np.float64]:
        """The nearest numbers proven to miss them; NaN where there is none."""
        return self._numbers("too_little")

    def _numbers(self, name: str) -> NDArray[np.float64]:
        import numpy as np

        numbers = (None if found is None else getattr(found, name) for found in self._found)
        return np.array([np.nan if number is None else number for number in numbers], dtype=np.float64)

    def rows(self) -> list[Calibration | Exception | None]:
        """What there is of each row: what was found, what is wrong with it, or ``None`` where nothing was asked."""
        return [self.errors.get(row) if found is None else found for row, found in enumerate(self._found)]

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, row: int) -> Calibration:
        """What was found in a row; its exception is raised if something is wrong with it."""
        place = range(len(self))[row]
        found = self._found[place]
        if found is None:
            raise self.errors.get(place) or ValueError(f"row {place} asks nothing, and has no answer; see rows()")
        return found

    def __iter__(self) -> Iterator[Calibration]:
        for row in range(len(self)):
            yield self[row]

    def __repr__(self) -> str:
        return f"<{len(self)} calibrations, {len(self.errors)} of them with errors>"


def calibrate_many(
    expressions: str | Column,
    *,
    epsilon: float | Column | None = None,
    delta: float | Column | None = None,
    advantage: float | Column | None = None,
    tpr: float | Column | None = None,
    fpr: float | Column | None = None,
    columns: Columns | None = None,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
    errors: Errors = "keep",
) -> Calibrations:
    """:func:`hockeystick.calibrate` for each row, on all cores, equal ones once: a column of expressions with one ``?`` each, or one
    expression with names in braces and a table of ``columns``, or one expression for a column of targets.

    >>> import hockeystick as hs
    >>> hs.calibrate_many("gaussian(sigma=?)", epsilon=[0.5, 1.0, 2.0], delta=1e-6).value.round(6).tolist()
    [8.057618, 4.224679, 2.230476]

    A row in which something is missing has no value. What is wrong with a row is in ``errors``; with ``errors="raise"`` the first is raised.
    Each row has the time and the memory that :func:`hockeystick.limits` allows.
    """
    check_errors(errors)
    failed: dict[int, Exception] = {}
    targets = {"epsilon": epsilon, "delta": delta, "advantage": advantage, "tpr": tpr, "fpr": fpr}
    given = {name: target for name, target in targets.items() if target is not None}
    lengths = [len(cells(target, name)) for name, target in given.items() if is_column(target)]
    count = lengths[0] if lengths else None
    texts = _texts(expressions, columns, count, failed)
    numbers = {name: doubles(target, name, len(texts), failed) for name, target in given.items()}
    for row in range(len(texts)):
        if row in failed or any(number[row] != number[row] for number in numbers.values()):
            texts[row] = None
    none = doubles([None] * len(texts), "target", len(texts), {})
    bytes_of = [numbers.get(name, none).tobytes() for name in targets]
    results, _ = _engine.calibrations(texts, bytes_of, relation, method, tolerance)
    found: list[Calibration | None] = []
    for row, result in enumerate(results):
        if isinstance(result, Exception):
            failed[row] = result
        found.append(None if result is None or isinstance(result, Exception) else Calibration._of(result[0], result))
    raise_first(failed, errors)
    return Calibrations(found, dict(sorted(failed.items())))


def _texts(
    expressions: str | Column, columns: Columns | None, count: int | None, failed: dict[int, Exception]
) -> list[str | None]:
    if columns is not None:
        return filled(expressions, columns, count, failed)
    if isinstance(expressions, str):
        if count is None:
            raise ValueError("nothing says how many rows there are; give a column of expressions or of targets")
        return [expressions] * count
    if not is_column(expressions):
        raise TypeError(f"an expression with one ?, or a column of them is needed, not {type(expressions).__name__}")
    texts: list[str | None] = []
    for row, text in enumerate(cells(expressions, "expressions")):
        texts.append(text if isinstance(text, str) else None)
        if not isinstance(text, str) and not is_missing(text):
            failed[row] = TypeError(f"an expression with one ? is needed, not {type(text).__name__}")
    return texts
