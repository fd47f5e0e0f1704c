"""The test suites of the peers: where they are, and how the adapters take the peers' place."""

from __future__ import annotations

import os
import re
import tarfile
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Suite:
    """Files of tests, and the plugin that puts the adapters in place."""

    peer: str
    plugin: str
    files: list[str] = field(default_factory=list)
    """Relative to the installed packages, or to the source distribution if there is one."""
    source: str = ""
    """The source distribution that holds the tests, if they are not installed."""


SUITES = [
    Suite(
        "dp_accounting",
        "adapt_dp_accounting",
        [
            "dp_accounting/pld/pld_privacy_accountant_test.py",
            "dp_accounting/pld/privacy_loss_distribution_test.py",
            "dp_accounting/mechanism_calibration_test.py",
            "dp_accounting/privacy_accountant_test.py",
            "dp_accounting/dp_event_builder_test.py",
            "dp_accounting/rdp/rdp_privacy_accountant_test.py",
        ],
    ),
    Suite(
        "riskcal",
        "adapt_riskcal",
        ["tests/test_conversions.py", "tests/test_dpsgd.py", "tests/test_backward_compatibility.py"],
        source="riskcal==1.5.1",
    ),
    Suite("prv_accountant", "", [], source="prv-accountant==0.2.0"),
]

OPACUS = Suite(
    "opacus",
    "adapt_opacus",
    [
        "opacus/tests/accountants_test.py",
        "opacus/tests/accounting_noise_multiplier_test.py",
        "opacus/tests/prv_accountant.py",
        "opacus/tests/gradient_accumulation_test.py",
    ],
)


def unpacked(source: str, place: Path) -> Path:
    """The source distribution of a peer, unpacked."""
    place.mkdir(parents=True)
    # Not by pip, which prepares the metadata of what it downloads: only the files are wanted, and some peers cannot be
    # prepared everywhere.
    name, version = source.split("==")
    index = f"{os.environ.get('PIP_INDEX_URL', 'https://pypi.org/simple').rstrip('/')}/{name}/"
    with urllib.request.urlopen(index) as page:
        links = re.findall(r'href="([^"#]+)[^"]*"', page.read().decode())
    wanted = re.compile(rf"/{re.sub('[-_]', '[-_]', name)}-{re.escape(version)}\.tar\.gz$")
    address = next(urllib.parse.urljoin(index, link) for link in links if wanted.search(link))
    archive = place / "source.tar.gz"
    urllib.request.urlretrieve(address, archive)
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    return next(path for path in place.iterdir() if path.is_dir())
