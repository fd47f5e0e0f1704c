"""Runs the peers' own tests, as they install them, against the adapters, in a fresh virtual environment.

    python python/peers/run_peer_tests.py path/to/hockeystick.whl

prints how many passed, failed and were skipped, and compares the failures with `expected_differences.json`: a rule for each
group of tests that must differ, with its reason. It fails if a test fails that no rule expects, or if a rule expects what no
longer happens.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The tests of what the adapters stand for.
SUITES = [
    "dp_accounting/pld/pld_privacy_accountant_test.py",
    "dp_accounting/mechanism_calibration_test.py",
    "dp_accounting/privacy_accountant_test.py",
    "dp_accounting/dp_event_builder_test.py",
    "dp_accounting/rdp/rdp_privacy_accountant_test.py",
]
SECONDS_PER_TEST = 20


def environment(place: Path, wheel: str) -> tuple[Path, Path]:
    """A fresh environment with the wheel and the peers: its interpreter and its packages."""
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt", wheel], check=True
    )
    query = [python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
    return python, Path(subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip())


def run(python: Path, packages: Path, report: Path) -> dict[str, tuple[str, str]]:
    """Outcome and message of every test."""
    arguments = ["-m", "pytest", "-q", "-p", "adapters", "-p", "no:cacheprovider", f"--timeout={SECONDS_PER_TEST}"]
    suites = [str(packages / suite) for suite in SUITES]
    command = [str(python), *arguments, f"--junit-xml={report}", *suites]
    subprocess.run(command, env={"PYTHONPATH": str(HERE), "PATH": ""}, stdout=subprocess.DEVNULL)
    outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        problem = next((case.find(kind) for kind in ("failure", "error") if case.find(kind) is not None), None)
        skipped = case.find("skipped") is not None
        outcome = "failed" if problem is not None else "skipped" if skipped else "passed"
        suite = (case.get("classname") or "").split("dp_accounting.")[-1].split(".")[-2]
        message = "" if problem is None else problem.get("message") or ""
        outcomes[f"{suite}::{case.get('name')}"] = (outcome, message)
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", help="the wheel to test")
    parser.add_argument("--python", help="an interpreter that has the wheel and the peers already", type=Path)
    given = parser.parse_args()
    rules = json.loads((HERE / "expected_differences.json").read_text())
    with tempfile.TemporaryDirectory() as place:
        if given.python:
            query = [given.python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
            packages = Path(subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip())
            python = given.python
        else:
            python, packages = environment(Path(place) / "venv", given.wheel)
        outcomes = run(python, packages, Path(place) / "report.xml")
    counts = {kind: sum(outcome == kind for outcome, _ in outcomes.values()) for kind in ("passed", "failed", "skipped")}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    failed = {name: message for name, (outcome, message) in outcomes.items() if outcome == "failed"}
    matched: dict[str, int] = {rule["tests"]: 0 for rule in rules}
    surprises = []
    for name, message in failed.items():
        rule = next((rule for rule in rules if re.search(rule["tests"], name)), None)
        if rule is None:
            surprises.append(f"{name}: {message[:160]}")
        else:
            matched[rule["tests"]] += 1
    for rule in rules:
        print(f"{matched[rule['tests']]:4} differ as expected: {rule['tests']}: {rule['reason']}")
    idle = [tests for tests, count in matched.items() if count == 0]
    for surprise in surprises:
        print("unexpected failure:", surprise)
    for tests in idle:
        print("a rule expects what no longer happens:", tests)
    return 1 if surprises or idle else 0


if __name__ == "__main__":
    sys.exit(main())
