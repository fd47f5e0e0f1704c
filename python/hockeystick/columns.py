"""Columns of tables, wherever they come from: lists, NumPy, pandas, polars, Arrow.

Nothing here needs another package but NumPy: a column is known by what it can do. ``None``, NaN, ``pandas.NA`` and masked values are missing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

from .arguments import is_number, number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class _Array(Protocol):
    def __array__(self) -> NDArray[Any]: ...


class _Arrow(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class _Chunked(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class _Table(Protocol):
    def __getitem__(self, name: str, /) -> Any: ...


Column: TypeAlias = Union[list[Any], tuple[Any, ...], _Array, _Arrow, _Chunked]
"""A column of a table."""

Columns: TypeAlias = Union[Mapping[str, Any], _Table]
"""Columns by name: a dict, or a table of pandas, polars or Arrow."""


def is_column(given: object) -> bool:
    """Whether something is a column, and not a single value.

    >>> import numpy as np
    >>> [is_column(given) for given in ([1], (), np.array([1.0]), np.float64(1.0), "gaussian(sigma=1)", 1.0, None)]
    [True, True, True, False, False, False, False]
    """
    if isinstance(given, (list, tuple)):
        return True
    if isinstance(given, (str, bytes)) or is_number(given):
        return False
    return any(hasattr(given, name) for name in ("to_pylist", "__array__", "__arrow_c_array__", "__arrow_c_stream__"))


def cells(given: object, name: str) -> list[Any] | NDArray[np.float64]:
    """The values of a column: doubles if it is made of numbers, and a list of whatever there is otherwise.

    >>> import numpy as np
    >>> cells(np.array([1, 2]), "steps").tolist(), cells(["a", None], "who")
    ([1.0, 2.0], ['a', None])
    >>> cells(np.ma.masked_array([1.0, 2.0], [False, True]), "rate")
    [1.0, None]
    """
    import numpy as np

    if isinstance(given, (list, tuple)):
        return list(given)
    if not is_column(given):
        raise TypeError(f"{name} must be a column, not {type(given).__name__}; give a list or an array")
    if hasattr(given, "to_pylist"):
        return list(given.to_pylist())
    if not hasattr(given, "__array__"):
        return _arrow(given, name)
    array = given if isinstance(given, np.ma.MaskedArray) else np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, but a column has one")
    if array.dtype.kind in "fiu" and not isinstance(array, np.ma.MaskedArray):
        return np.ascontiguousarray(array, dtype=np.float64)
    return list(array.tolist())


def _arrow(given: object, name: str) -> list[Any]:
    try:
        import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise TypeError(f"{name} is an Arrow array, which needs the package pyarrow to be read; give a list or an array") from None
    whole = pa.array(given) if hasattr(given, "__arrow_c_array__") else pa.chunked_array(given)
    return list(whole.to_pylist())


def is_missing(value: object) -> bool:
    """Whether there is nothing.

    >>> [is_missing(value) for value in (None, float("nan"), 0.0, "")]
    [True, True, False, False]
    """
    return (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant")
    )


def doubles(given: object, name: str, count: int | None, errors: dict[int, Exception]) -> NDArray[np.float64]:
    """Numbers, one for each of ``count`` rows, from a column or from one number for all of them; NaN where one is missing. What is
    no number is an error of its row.

    >>> errors = {}
    >>> doubles([1e-5, None, "x"], "delta", 3, errors).tolist(), errors
    ([1e-05, nan, nan], {2: TypeError('delta must be a number, not str')})
    """
    import numpy as np

    if not is_column(given):
        value = number(given, name)
        if math.isnan(value):
            raise ValueError(f"{name} is nan, but must be a number")
        if count is None:
            raise ValueError(f"{name} is one number, and nothing says how many rows there are; give a column")
        return np.full(count, value)
    values = cells(given, name)
    if count is not None and len(values) != count:
        raise ValueError(f"{name} has {len(values)} rows, but there are {count}")
    if isinstance(values, np.ndarray):
        return values
    found = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if not is_missing(value):
            try:
                found[row] = number(value, name)
            except (TypeError, ValueError) as error:
                errors.setdefault(row, error)
    return found
