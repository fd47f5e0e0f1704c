"""Events, one after the other, as one event."""

from __future__ import annotations

import operator
from typing import Any

from .dp_event import ComposedDpEvent, NoOpDpEvent, SelfComposedDpEvent


class DpEventBuilder:
    """Composes events, merging equal neighbours."""

    def __init__(self) -> None:
        self._events: list[tuple[Any, int]] = []

    def compose(self, event: Any, count: int = 1) -> None:
        """One more event, or ``count`` of them."""
        check_event(event)
        count = whole(count, "count")
        if count < 1:
            raise ValueError(f"count is {count}, but must be 1 or more; leave the event out")
        if type(event).__name__ == "NoOpDpEvent":
            return
        if type(event).__name__ == "SelfComposedDpEvent":
            event, count = event.event, count * event.count
        if self._events and self._events[-1][0] == event:
            count += self._events.pop()[1]
        self._events.append((event, count))

    def build(self) -> Any:
        """All that was composed, as one event."""
        events = [event if count == 1 else SelfComposedDpEvent(event, count) for event, count in self._events]
        if not events:
            return NoOpDpEvent()
        return events[0] if len(events) == 1 else ComposedDpEvent(events)


def check_event(event: Any) -> None:
    """Events of the real package are events too."""
    if not any(cls.__name__ == "DpEvent" for cls in type(event).__mro__):
        raise TypeError(f"`event` must be `DpEvent`. Found {type(event)}.")


def whole(number: Any, name: str) -> int:
    """A whole number, perhaps written as a float."""
    try:
        return operator.index(number)
    except TypeError:
        if isinstance(number, float) and number.is_integer():
            return int(number)
        raise TypeError(f"{name} is {number!r}, but must be a whole number") from None
