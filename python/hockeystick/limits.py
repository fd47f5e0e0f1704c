"""How long a question may take, and how much memory it may hold.

>>> import hockeystick as hs
>>> with hs.limits(timeout=60, memory=4 * 2**30):
...     answer = hs.epsilon("gaussian(sigma=4) * 10", 1e-5)

Without it a question has 8 seconds and a gigabyte, and each element of an array has as much. Where ``epsilon`` or ``delta`` takes more, the
answer is a bound by moments whose ``shortfall`` says so; where there is no such bound, and for everything else, a ``TimeoutError`` or a
``MemoryError`` is raised. Answers that are not stopped do not depend on the limits.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

#: Seconds and bytes; none where there is no limit.
_allowed: ContextVar[tuple[float | None, int | None]] = ContextVar("hockeystick.limits", default=(8.0, 2**30))


class _Same:
    """Stands for what holds already."""


_SAME = _Same()


@contextlib.contextmanager
def limits(
    timeout: float | None | _Same = _SAME, memory: int | None | _Same = _SAME
) -> Iterator[None]:
    """Within it questions may take ``timeout`` seconds and hold ``memory`` bytes; ``None`` lifts a limit.

    What is not given stays as it is. It is also a decorator.

    >>> with limits(timeout=None):
    ...     pass
    >>> with limits(timeout=0):
    ...     pass
    Traceback (most recent call last):
    ...
    ValueError: timeout is 0, but must be a number of seconds above 0, or None for no limit
    """
    seconds, held = _allowed.get()
    if not isinstance(timeout, _Same):
        seconds = _positive("timeout", timeout, "a number of seconds above 0")
    if not isinstance(memory, _Same):
        most = _positive("memory", memory, "a whole number of bytes above 0")
        if most is not None and most != int(most):
            raise ValueError(f"memory is {memory!r}, but must be a whole number of bytes above 0, or None for no limit")
        held = None if most is None else min(int(most), 2**64 - 1)
    token = _allowed.set((seconds, held))
    try:
        yield
    finally:
        _allowed.reset(token)


def _positive(name: str, value: float | None, allowed: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is {value!r}, but must be {allowed}, or None for no limit")
    if not 0 < value < float("inf"):
        raise ValueError(f"{name} is {value!r}, but must be {allowed}, or None for no limit")
    return value
