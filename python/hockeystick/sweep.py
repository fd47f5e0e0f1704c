"""Arrays of questions about one composition."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .answers import Answers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._engine import _Ends
    from .answer import Unknown


def array(end: bytearray, like: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the engine returns, in the shape of what it was asked."""
    import numpy as np

    return np.frombuffer(end, dtype=np.float64).reshape(like.shape)


def sweep(unknown: Unknown, at: NDArray[np.float64], ask: Callable[[bytes], _Ends]) -> Answers:
    """The answers of the engine to all numbers at once."""
    lower, upper, guarantee, method = ask(at.tobytes())
    return Answers(unknown, at, array(lower, at), array(upper, at), guarantee, method)
