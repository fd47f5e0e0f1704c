"""A pytest plugin: puts the accountant in the place of Opacus's own by moments and by convolution, whose tests then run on it."""

from __future__ import annotations

from opacus import accountants
from opacus.accountants import registry

from hockeystick.compat.opacus import HockeystickAccountant, register

register()
for name, mechanism in (("RDPAccountant", "rdp"), ("PRVAccountant", "prv")):
    setattr(accountants, name, HockeystickAccountant)
    registry._ACCOUNTANTS[mechanism] = HockeystickAccountant
