"""Colours never stand in the way: CASES C-11 ... C-13 in the real editor."""

from __future__ import annotations

import pytest
from starting import Start, ready

ENDLESS = [
    ("x.pl", b"#!/usr/bin/perl\ns!" + b"\\" * 40),
    ("x.rell", b'"' + b"\\" * 40),
    ("x.u", b'"' + b"\\" * 40),
    ("x.smithy", b'"""' + b"\\" * 40),
    ("x.t", b"extern//" + b"\\" * 34),
]


@pytest.mark.parametrize(("name", "data"), ENDLESS, ids=[name for name, _ in ENDLESS])
def test_c11_a_lexer_that_never_ends(tpy: Start, name: str, data: bytes) -> None:
    file = tpy.file(name, data)
    editor = ready(tpy(name))
    editor.keys("GA\\\\<Esc>")
    editor.wait("\\" * 36)
    editor.keys(":w<CR>")
    editor.wait("written")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0
    assert file.read_bytes() == data + b"\\\\\n"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("noise", bytes(range(1, 256)) * 40),
        ("braces", b"{" * (1 << 20)),
        ("mail", b"From: a@b\nSubject: x\n\nDear\n"),
        ("empty", b""),
        ("Makefile", b"all:\n\techo x\n"),
        (".bashrc", b"if true; then :; fi\n"),
        ("a.H", b"class A;\n"),
        ("x.pm", b"package A;\n"),
    ],
)
def test_c12_any_file_opens_without_a_delay(tpy: Start, name: str, data: bytes) -> None:
    file = tpy.file(name, data)
    editor = tpy(name)
    editor.wait(lambda e: name in e.row(-2) or name in e.row(-1))
    editor.keys(":<Esc>")
    editor.keys("Goend<Esc>")
    editor.wait("end")
    editor.keys(":q!<CR>")
    assert editor.exit_status() == 0
    assert file.read_bytes() == data


def test_c13_the_colour_is_on_its_word(tpy: Start) -> None:
    file = tpy.file("x.py", b"\n\n\ndef f():\n\treturn 1\n")
    editor = ready(tpy("x.py"))
    editor.wait(lambda e: e.cell(3, 0).fg != "default")
    assert editor.rows()[:5] == ["", "", "", "def f():", "        return 1"]
    assert editor.cell(3, 2).fg == editor.cell(3, 0).fg
    assert editor.cell(4, 8).fg == editor.cell(3, 0).fg
    assert editor.cell(4, 7).fg != editor.cell(4, 8).fg
    editor.keys("Goend<Esc>dd:w<CR>")
    editor.wait("written")
    assert file.read_bytes() == b"\n\n\ndef f():\n\treturn 1\n"
