"""The Python of the README, the guide and the pages is run, and prints what is shown."""

from __future__ import annotations

import doctest
import re

import pytest

DOCUMENTS = ["README.md", "COMPARE.md", "python/README.md", "docs/**/*.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def _run(name: str, blocks: list[str]) -> int:
    """Runs the blocks of one document in one namespace and returns how many there were."""
    names: dict[str, object] = {}
    for number, block in enumerate(blocks):
        if ">>>" not in block:
            exec(compile(block, f"{name}, block {number}", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, f"{name}, block {number}", name, 0)
        report: list[str] = []
        doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        names.update(test.globs)
    return len(blocks)


def test_the_python_of_all_documents_is_true(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    count = 0
    for pattern in DOCUMENTS:
        for document in sorted(root.glob(pattern)):
            count += _run(str(document.relative_to(root)), BLOCK.findall(document.read_text(encoding="utf-8")))
    assert count >= 6


def test_a_document_that_is_not_true_is_found():
    with pytest.raises(AssertionError, match="Expected"):
        _run("nowhere", [">>> 1 + 1\n3\n"])
