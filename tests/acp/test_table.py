"""The page on what we do of the protocol is the one that the code makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = "import acp_table, sys; sys.exit(acp_table.page() != acp_table.PAGE.read_text(encoding='utf-8'))"


def test_the_page_of_the_protocol_is_not_stale() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=DOCS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or "docs/acp.md is stale: run `make docs`"
