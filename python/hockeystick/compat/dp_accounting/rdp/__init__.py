"""The submodule ``dp_accounting.rdp``."""

from . import rdp_privacy_accountant
from .rdp_privacy_accountant import RdpAccountant

__all__ = ["RdpAccountant", "rdp_privacy_accountant"]
