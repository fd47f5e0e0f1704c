"""Ledgers: the verbs, what is refused, threads, both stores."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import hockeystick as hs
import psycopg
import pytest
from hockeystick.compat import dp_accounting as dpa

HALF = hs.ApproximateDp(0.5)


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[str]:
    """A PostgreSQL: one that a variable names, or a throw-away one."""
    if named := os.environ.get("HOCKEYSTICK_TEST_POSTGRES"):
        yield named
        return
    command = [sys.executable, str(root / "crates/ledger/tests/postgres")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as script:
        assert script.stdin and script.stdout
        url = script.stdout.readline().strip()
        assert url, "there is no PostgreSQL for the tests; its script says why"
        yield url
        script.stdin.close()


COUNT = iter(range(1000))


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place for a ledger, on each store."""
    if request.param == "sqlite":
        yield str(tmp_path / "budgets.db")
        return
    url, schema = request.getfixturevalue("server"), f"python_{os.getpid()}_{next(COUNT)}"
    run(url, f"CREATE SCHEMA {schema}")
    yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"
    run(url, f"DROP SCHEMA {schema} CASCADE")


def run(url: str, sql: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql)


@pytest.fixture
def ledger(store: str) -> hs.Ledger:
    ledger = hs.Ledger(store, create=True)
    ledger.budget("all", epsilon=2, delta=0)
    ledger.budget("a", epsilon=1, delta=0, parents=["all"], unit="one person", scope={"team": "maps"})
    return ledger


def test_a_spend_is_charged_once_and_then_refused(ledger: hs.Ledger):
    receipt = ledger.spend("a", HALF, reference="1", note="a count")
    assert (receipt.entry, receipt.repeated) == (3, False)
    assert [(account.budget, account.spent, account.left) for account in receipt.budgets] == [
        ("a", 0.5, 0.5),
        ("all", 0.5, 1.5),
    ]
    assert ledger.spend("a", "dp(epsilon=1/2)", reference="1").repeated
    with pytest.raises(hs.Refused) as refused:
        ledger.spend("a", HALF * 3, reference="2")
    assert (refused.value.left, refused.value.would_be, refused.value.fits) == (0.5, 2.0, 1)
    assert refused.value.over is not None and refused.value.over.budget == "a"
    assert str(refused.value).startswith("a allows ε = 1 at δ = 0")
    with pytest.raises(hs.Refused, match="stands for entry 3"):
        ledger.spend("a", hs.ApproximateDp(0.25), reference="1")
    assert ledger.spend("a", HALF, reference="3", dry_run=True).entry is None
    assert ledger.status("a").spent.upper == 0.5
    assert ledger.remaining("a", hs.ApproximateDp(0.125)) == 4


def test_reservations_are_committed_or_released(ledger: hs.Ledger):
    ledger.reserve("a", HALF * 2, reference="training", expires=timedelta(hours=1))
    standing = ledger.status("a")
    assert (standing.spent.upper, standing.with_reserved, standing.left) == (0.0, 1.0, 0.0)
    assert [(held.reference, held.mechanism) for held in standing.reserved] == [("training", HALF * 2)]
    with pytest.raises(hs.Refused, match="more was used"):
        ledger.commit("training", HALF * 3)
    assert ledger.commit("training", HALF).budgets[0].spent == 0.5
    ledger.reserve("a", HALF, reference="other", expires="90s")
    ledger.release("other")
    with pytest.raises(hs.Refused, match="it was released"):
        ledger.commit("other")
    assert ledger.status("a").left == 0.5
    kinds = [entry["kind"] for entry in ledger.history("a")]
    assert kinds == ["budget", "reserve", "commit", "reserve", "release"]


def test_an_accountant_is_charged_as_a_whole(ledger: hs.Ledger):
    accountant = hs.Accountant()
    with pytest.raises(ValueError, match="nothing to charge"):
        ledger.spend("a", accountant, reference="1")
    for _ in range(3):
        accountant.step(hs.ApproximateDp(0.25))
    assert ledger.spend("a", accountant, reference="1").budgets[0].spent == 0.75


def test_events_of_dp_accounting_are_charged(ledger: hs.Ledger):
    event = dpa.SelfComposedDpEvent(dpa.PoissonSampledDpEvent(0.01, dpa.LaplaceDpEvent(4.0)), 10)
    same = hs.Laplace(4.0).poisson(0.01) * 10
    assert not ledger.spend("a", event, reference="1").repeated
    assert ledger.spend("a", same, reference="1").repeated
    ledger.budget("replaced", epsilon=1, delta=1e-6, relation="replace")
    ledger.reserve("replaced", dpa.GaussianDpEvent(40.0), reference="2", expires="1h")
    assert ledger.status("replaced").reserved[0].mechanism == hs.Gaussian(40.0, sensitivity=2)
    for bad in [dpa.NoOpDpEvent(), dpa.NonPrivateDpEvent(), dpa.ComposedDpEvent([dpa.NonPrivateDpEvent()]), object()]:
        with pytest.raises(ValueError, match="cannot be charged"):
            ledger.spend("a", bad, reference="3")  # type: ignore[arg-type]


def test_a_history_goes_to_another_ledger(ledger: hs.Ledger, tmp_path: Path):
    ledger.spend("a", HALF, reference="1")
    assert ledger.export(tmp_path / "history.jsonl") == 3
    copy = hs.Ledger(tmp_path / "copy.db", create=True)
    assert copy.import_from(tmp_path / "history.jsonl") == 3
    ledger.back_up(tmp_path / "backup.db")
    backup = hs.Ledger(tmp_path / "backup.db")
    assert copy.verify() == backup.verify() == ledger.verify(ledger.verify().head)
    assert ledger.verify().clean and not ledger.verify("00").clean
    assert copy.budgets() == backup.budgets() == ledger.budgets()
    assert copy.status("a").definition["scope"] == {"team": "maps"}


def test_bad_input_is_an_error(ledger: hs.Ledger, tmp_path: Path):
    for call, error, words in [
        (lambda: ledger.budget("b"), TypeError, "how much may be spent"),
        (lambda: ledger.budget("b", epsilon=1), TypeError, "how much may be spent"),
        (lambda: ledger.budget("b", mu=float("nan")), ValueError, "mu is nan"),
        (lambda: ledger.budget("b", mu=1, parents=["c"]), ValueError, 'no budget "c"'),
        (lambda: ledger.budget("b", mu=1, renews="hour"), ValueError, "hour"),
        (lambda: ledger.spend("b", HALF, reference="1"), ValueError, 'no budget "b"; the budgets are a, all'),
        (lambda: ledger.spend("a", HALF, reference=""), ValueError, "reference"),
        (lambda: ledger.reserve("a", HALF, reference="1", expires="soon"), ValueError, "90s, 30m"),
        (lambda: hs.Ledger(tmp_path / "none.db"), OSError, "no such file"),
        (lambda: hs.Ledger("postgres://me:secret@127.0.0.1:1/x"), OSError, "there is no connection"),
        (lambda: ledger.export(tmp_path / "no" / "file"), OSError, "cannot be written"),
    ]:
        with pytest.raises(error, match=words):
            call()
    assert ledger.verify().entries == 2


def test_threads_never_overspend(store: str, ledger: hs.Ledger):
    ledger.budget("shared", epsilon=1, delta=0)
    part = hs.ApproximateDp(1 / 64)
    # One ledger for all, and one for each.
    own = [hs.Ledger(store) for _ in range(4)]

    def spend(who: int) -> int:
        charged = 0
        for i in range(20):
            with contextlib.suppress(hs.Refused):
                (own[who] if who < 4 else ledger).spend("shared", part, reference=f"{who}-{i}")
                charged += 1
        return charged

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(spend, range(8))) == 64
    assert ledger.status("shared").left == 0.0
    assert ledger.verify().clean


HOLDS = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("begun", flush=True)
sys.stdin.read()
"""


def test_others_run_while_a_ledger_waits(tmp_path: Path):
    """The interpreter is free while a store waits for another program's transaction."""
    path = tmp_path / "budgets.db"
    ledger = hs.Ledger(path, create=True)
    ledger.budget("a", epsilon=1, delta=0)
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin and other.stdout and other.stdout.readline() == "begun\n"
        waiting = threading.Thread(target=lambda: ledger.spend("a", HALF, reference="1"))
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
        other.stdin.close()
        other.wait()
        waiting.join()
    assert ledger.status("a").spent.upper == 0.5
