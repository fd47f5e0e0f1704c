"""Runs every accountant on every workload and writes the tables of COMPARE.md.

`bench/compare` calls this. Everything is made anew under `<target>/compare`: a virtual environment with the peers from the package
registry, and this tree's wheel. Each tool answers each workload in a process of its own. `--tools` and `--workloads` choose some;
`--wheel` takes a wheel that is built; `--reuse` keeps an environment made before; `--no-write` leaves COMPARE.md alone.
"""

import argparse
import json
import os
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import table
from tools import TOOLS, known_to_be_unsupported

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TIME_LIMIT = 90

#: What pip is asked for. Opacus without what it requires: PyTorch is some gigabytes, and its accountants run without.
PEERS = {
    "dp-accounting": ["dp-accounting"],
    "prv-accountant": ["prv-accountant"],
    "autodp": ["autodp"],
    "fourier-accountant": ["fourier-accountant"],
    "opacus": ["--no-deps", "opacus"],
}


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, **more)


def install(python, wanted):
    """The reasons why some of {name: arguments of pip} cannot be installed."""
    venv.create(python.parents[1], with_pip=True, clear=True)
    missing = {}
    for name, arguments in wanted.items():
        done = subprocess.run([*pip(python), *arguments], capture_output=True, text=True)
        if done.returncode:
            missing[name] = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            print(f"{name} is left out: {missing[name]}", flush=True)
    return missing


def pip(python):
    return [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def set_up(place, wheel, reuse):
    """The interpreter of an environment with what can be installed, and the reasons for what cannot."""
    python = place / "venv" / "bin" / "python"
    missing = {} if reuse and python.exists() else install(python, PEERS)
    if wheel is None:
        run(*pip(python), "maturin>=1.9,<2")
        wheels = place / "wheels"
        for old in wheels.glob("*.whl"):
            old.unlink()
        maturin = place / "venv" / "bin" / "maturin"
        run(maturin, "build", "--quiet", "--release", "--locked", "--interpreter", python, "--out", wheels, cwd=ROOT)
        wheel = next(wheels.glob("*.whl"))
    run(*pip(python), "--force-reinstall", "--no-deps", wheel)
    return python, missing


def versions(python):
    listed = run(python, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check", capture_output=True)
    return {entry["name"].lower(): entry["version"] for entry in json.loads(listed.stdout)}


def measure(python, tool, workload):
    """What `measure.py` prints, or that it did not end well."""
    # One thread each, so that tools do not differ in how many they take.
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    command = [str(python), str(HERE / "measure.py"), tool, workload]
    ended = {"tool": tool, "workload": workload}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, env=os.environ | threads)
    except subprocess.TimeoutExpired:
        return ended | {"failed": f"no answer within {TIME_LIMIT} s"}
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return ended | {"failed": f"ended with code {done.returncode}"}


def ask_all(asked, place, kept, workloads):
    """Measures everything; `kept` holds what there is after every answer."""
    python, missing = set_up(place, asked.wheel, asked.reuse)
    questions = [
        (tool, workload["name"])
        for workload in workloads
        for tool in asked.tools
        if TOOLS[tool][0] not in missing and not known_to_be_unsupported(tool, workload)
    ]
    results = {"machine": table.machine(), "versions": versions(python), "missing": missing, "measured": []}
    with ThreadPoolExecutor(asked.jobs) as pool:
        for measured in pool.map(lambda question: measure(python, *question), questions):
            results["measured"].append(measured)
            kept.write_text(json.dumps(results, indent=1) + "\n")
            print(table.progress(measured), file=sys.stderr, flush=True)


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--tools", nargs="*", default=list(TOOLS), choices=list(TOOLS), metavar="TOOL")
    parse.add_argument("--workloads", nargs="*", metavar="NAME")
    parse.add_argument("--wheel", type=Path)
    parse.add_argument("--reuse", action="store_true")
    parse.add_argument("--jobs", type=int, default=1, help="processes at a time; more than one disturbs the times")
    parse.add_argument("--again", action="store_true", help="only write the tables of the last run again")
    parse.add_argument("--no-write", action="store_true")
    asked = parse.parse_args()

    place = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "compare"
    kept = place / "results.json"
    workloads = json.loads((HERE / "workloads.json").read_text())
    if asked.workloads:
        workloads = [workload for workload in workloads if workload["name"] in asked.workloads]
    if not asked.again:
        ask_all(asked, place, kept, workloads)
    results = json.loads(kept.read_text())
    text = table.section(results, workloads, json.loads((HERE / "truth.json").read_text())["epsilon"])
    if asked.no_write:
        print(text)
    else:
        table.write(ROOT / "COMPARE.md", text)


if __name__ == "__main__":
    main()
