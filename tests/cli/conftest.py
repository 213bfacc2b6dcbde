from pathlib import Path

import pytest

from tests.cli.line import Line


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    """A command line with a home of its own."""
    return Line(tmp_path, capsys)
