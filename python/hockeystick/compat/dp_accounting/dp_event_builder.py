"""Events, one after the other, as one event."""

from __future__ import annotations

import threading
from typing import Any

from ...arguments import whole
from .dp_event import ComposedDpEvent, NoOpDpEvent, SelfComposedDpEvent


class DpEventBuilder:
    """Composes events, merging equal neighbours. Several threads may use one builder: every event is counted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[tuple[Any, int]] = []

    def compose(self, event: Any, count: int = 1) -> None:
        """One more event, or ``count`` of them."""
        check_event(event)
        count = whole(count, "count", least=1)
        if type(event).__name__ == "NoOpDpEvent":
            return
        if type(event).__name__ == "SelfComposedDpEvent":
            event, count = event.event, count * whole(event.count, "count")
        with self._lock:
            if self._events and self._events[-1][0] == event:
                self._events[-1] = event, self._events[-1][1] + count
            else:
                self._events.append((event, count))

    def build(self) -> Any:
        """All that was composed, as one event."""
        with self._lock:
            known = list(self._events)
        events = [event if count == 1 else SelfComposedDpEvent(event, count) for event, count in known]
        if not events:
            return NoOpDpEvent()
        return events[0] if len(events) == 1 else ComposedDpEvent(events)

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"events": list(self._events)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._lock = threading.Lock()
        self._events = state["events"]


def check_event(event: Any) -> None:
    """Events of the real package are events too."""
    if not any(cls.__name__ == "DpEvent" for cls in type(event).__mro__):
        raise TypeError(f"`event` must be `DpEvent`. Found {type(event)}.")
