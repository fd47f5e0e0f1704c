"""Runs the peers' own tests, as they distribute them, against the adapters, in a fresh virtual environment.

    python python/peers/run_peer_tests.py path/to/hockeystick.whl [--opacus]

prints how many passed, failed and were skipped, and compares the failures with `expected_differences.json`: a rule for each
group of tests that must differ, with its reason. It fails if a test fails that no rule expects, or if a rule expects what no
longer happens. Then riskcal is compared with itself, on the objects of dp_accounting and on ours.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from suites import OPACUS, SUITES, Suite, unpacked

HERE = Path(__file__).resolve().parent
# Only to end what hangs: riskcal's slowest test asks a hundred hard questions, a minute of work.
SECONDS_PER_TEST = 1800


def environment(place: Path, wheel: str, requirements: list[str]) -> Path:
    """The interpreter of a fresh environment with the wheel and the peers."""
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    files = [argument for name in requirements for argument in ("-r", str(HERE / name))]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *files, wheel], check=True)
    return python


def run(python: Path, suite: Suite, place: Path) -> dict[str, tuple[str, str]]:
    """Outcome and message of every test."""
    if suite.source:
        root = unpacked(suite.source, place / f"{suite.peer}-source")
        if not suite.files:
            found = [path for path in root.rglob("*.py") if "test" in path.name]
            print(f"{suite.peer}: {suite.source} distributes no tests ({len(found)} files named like tests)")
            return {}
    else:
        query = [python, "-c", f"import {suite.peer} as peer, os; print(os.path.dirname(os.path.dirname(peer.__file__)))"]
        root = Path(subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip())
    report = place / f"{suite.peer}.xml"
    options = ["-c", os.devnull, "-q", "-p", suite.plugin, "-p", "no:cacheprovider", f"--timeout={SECONDS_PER_TEST}"]
    files = [str(root / name) for name in suite.files]
    command = [str(python), "-m", "pytest", *options, f"--junit-xml={report}", *files]
    subprocess.run(command, env={"PYTHONPATH": str(HERE), "PATH": ""}, stdout=subprocess.DEVNULL)
    outcomes = {}
    for case in ElementTree.parse(report).iter("testcase"):
        problem = next((case.find(kind) for kind in ("failure", "error") if case.find(kind) is not None), None)
        skipped = case.find("skipped") is not None
        outcome = "failed" if problem is not None else "skipped" if skipped else "passed"
        names = [name for name in (case.get("classname") or "").split(".") if name.islower()]
        message = "" if problem is None else problem.get("message") or ""
        outcomes[f"{suite.peer}.{names[-1] if names else ''}::{case.get('name')}"] = (outcome, message)
    return outcomes


def judged(peer: str, outcomes: dict[str, tuple[str, str]], rules: list[dict[str, str]]) -> bool:
    """Prints what happened beside what was expected; whether they agree."""
    counts = [f"{sum(outcome == kind for outcome, _ in outcomes.values())} {kind}" for kind in ("passed", "failed", "skipped")]
    print(f"{peer}: {', '.join(counts)}")
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
    idle = [rule["tests"] for rule in rules if not matched[rule["tests"]]]
    for surprise in surprises:
        print("unexpected failure:", surprise)
    for tests in idle:
        print("a rule expects what no longer happens:", tests)
    return not surprises and not idle


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", help="the wheel to test")
    parser.add_argument("--opacus", action="store_true", help="with the tests of Opacus, which needs PyTorch")
    parser.add_argument("--python", help="an interpreter that has the wheel and the peers already", type=Path)
    given = parser.parse_args()
    suites = [*SUITES, OPACUS] if given.opacus else SUITES
    requirements = ["requirements.txt", "requirements-opacus.txt"] if given.opacus else ["requirements.txt"]
    rules: list[dict[str, str]] = json.loads((HERE / "expected_differences.json").read_text())
    is_as_expected = True
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        python = given.python or environment(place / "venv", given.wheel, requirements)
        for suite in suites:
            outcomes = run(python, suite, place)
            of_suite = [rule for rule in rules if rule["peer"] == suite.peer]
            if suite.files:
                is_as_expected = judged(suite.peer, outcomes, of_suite) and is_as_expected
        if not given.opacus:
            print("opacus: not run; its tests need PyTorch, which --opacus installs")
        compared = subprocess.run([python, HERE / "compare_riskcal.py"], env={"PATH": ""})
    return 0 if is_as_expected and compared.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
