"""A pytest plugin: puts the adapters in the place of dp_accounting's own accountants, whose tests then run against them."""

from __future__ import annotations

import dp_accounting
from dp_accounting import mechanism_calibration, privacy_accountant
from dp_accounting.pld import pld_pmf, pld_privacy_accountant, privacy_loss_distribution
from dp_accounting.rdp import rdp_privacy_accountant

from hockeystick.compat import dp_accounting as ours

# The tests look for the exceptions of their own package.
ours.privacy_accountant.UnsupportedEventError = privacy_accountant.UnsupportedEventError
ours.mechanism_calibration.NoBracketIntervalFoundError = mechanism_calibration.NoBracketIntervalFoundError
ours.mechanism_calibration.NonEmptyAccountantError = mechanism_calibration.NonEmptyAccountantError
for accountant in (ours.PLDAccountant, ours.RdpAccountant):
    privacy_accountant.PrivacyAccountant.register(accountant)

pld_privacy_accountant.PLDAccountant = ours.PLDAccountant
dp_accounting.pld.PLDAccountant = ours.PLDAccountant
rdp_privacy_accountant.RdpAccountant = ours.RdpAccountant
dp_accounting.rdp.RdpAccountant = ours.RdpAccountant
mechanism_calibration.calibrate_dp_mechanism = ours.calibrate_dp_mechanism
dp_accounting.calibrate_dp_mechanism = ours.calibrate_dp_mechanism

# The constructors; the class itself is made of masses on a grid, and stays theirs.
for name in dir(privacy_loss_distribution):
    if name.startswith("from_") or name == "identity":
        setattr(privacy_loss_distribution, name, getattr(ours.pld.privacy_loss_distribution, name))
pld_pmf.DensePLDPmf.register(ours.pld.pld_pmf.DensePLDPmf)
