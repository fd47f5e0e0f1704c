"""Arrays of questions about one composition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .answer import Answers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._engine import _Ends
    from .answer import Unknown


def numbers(given: float | Sequence[float] | NDArray[Any], argument: str) -> NDArray[np.float64]:
    """An array of doubles, however the numbers were given.

    >>> numbers([1, 2], "delta").tolist()
    [1.0, 2.0]
    >>> numbers(["1"], "delta")
    Traceback (most recent call last):
    ...
    TypeError: delta must be a number or an array of numbers, not ['1']
    """
    import numpy as np

    array = np.asarray(given)
    if array.dtype.kind not in "fiu" and array.size > 0:
        raise TypeError(f"{argument} must be a number or an array of numbers, not {given!r:.60}")
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


def array(end: bytearray, like: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the engine returns, in the shape of what it was asked."""
    import numpy as np

    return np.frombuffer(end, dtype=np.float64).reshape(like.shape)


def sweep(unknown: Unknown, at: NDArray[np.float64], ask: Callable[[bytes], _Ends]) -> Answers:
    """The answers of the engine to all numbers at once."""
    lower, upper, guarantee, method = ask(at.tobytes())
    return Answers(unknown, at, array(lower, at), array(upper, at), guarantee, method)  # type: ignore[arg-type]
