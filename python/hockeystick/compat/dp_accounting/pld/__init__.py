"""The submodule ``dp_accounting.pld``.

>>> round(privacy_loss_distribution.from_laplace_mechanism(2.0).get_epsilon_for_delta(0), 9)
0.5
"""

from . import common, pld_pmf, pld_privacy_accountant, privacy_loss_distribution
from .pld_privacy_accountant import PLDAccountant

__all__ = ["PLDAccountant", "common", "pld_pmf", "pld_privacy_accountant", "privacy_loss_distribution"]
