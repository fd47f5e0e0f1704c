"""A pytest plugin: every `import dp_accounting` of riskcal and of its tests finds the adapter."""

from __future__ import annotations

from hockeystick.compat import dp_accounting

dp_accounting.install()
