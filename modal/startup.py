"""What the editor is started with: the command line's options as a value, read by `cli.py`, obeyed by `app.py`."""

from __future__ import annotations

from typing import NamedTuple


class Startup(NamedTuple):
    """One start of the editor (`:help starting`).

    `files` are paths as typed. `pre_commands` (`--cmd`) run before any file of the user is read, `commands`
    (`+LINE`, `+CMD`, `-c`) after the first file is loaded, both in order and without their colon; a bare `+`
    is the command `$`. `split` is None, "horizontal" (`-o`), "vertical" (`-O`) or "tabs" (`-p`), and
    `split_count` how many windows or pages were asked for, 0 being one for each file. `config_file` is None
    for the usual one, a path, or "NONE". `stdin` says that the text to edit comes from standard input.
    """

    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    pre_commands: tuple[str, ...] = ()
    readonly: bool = False
    split: str | None = None
    split_count: int = 0
    diff: bool = False
    quickfix_file: str | None = None
    recover: bool = False
    config_file: str | None = None
    clean: bool = False
    stdin: bool = False
