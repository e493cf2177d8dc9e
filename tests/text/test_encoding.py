"""Bytes and lines: everything read is written back as it was; what agents write keeps the file's form."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.text.encoding import (
    EncodeError,
    FileText,
    Format,
    decode,
    encode,
    is_mixed,
    merge_format,
    served_text,
)
from tpy.modal.text.files import load
from tpy.modal.text.saving import save

PIECES = st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"\0", b"\xe9", b"\xc3\xa9", b"\xff\xfe", b"\xfe\xff",
                          codecs.BOM_UTF8, b"\xed\xa0\x80", b"\xd8\x00", b"\xf0\x9f\x98\x80", b"\x85"])  # fmt: skip
CHUNKS = st.one_of(st.binary(max_size=40), st.lists(PIECES, max_size=12).map(b"".join))
WISHES = st.sampled_from([None, "utf-8", "latin1", "utf-16", "utf-16le"])


@given(CHUNKS, WISHES, st.sampled_from([None, "unix", "dos", "mac"]))
def test_every_file_comes_back_byte_for_byte(data: bytes, encoding: str | None, fileformat: str | None) -> None:
    text = decode(data, encoding, fileformat)
    assert encode(text.lines, text.format) == data
    assert text.lines
    assert not any("\n" in line for line in text.lines)


@given(
    st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=30),
    st.sampled_from(["utf-8", "utf-16", "utf-16le"]),
    st.sampled_from(["unix", "dos", "mac"]),
    st.booleans(),
)
def test_what_is_written_in_a_format_is_read_in_it(text: str, encoding: str, fileformat: str, bom: bool) -> None:
    lines = [text.lstrip("\ufeff"), "second ü"]
    format = Format(encoding, bom or encoding != "utf-8", fileformat, True)
    data = encode(lines, format)
    assert decode(data, None, fileformat if fileformat == "mac" else None) == FileText(lines, format)


@pytest.mark.parametrize(
    ("data", "lines", "format"),
    [
        (b"", [""], Format(eol=False)),
        (b"\n", [""], Format()),
        (b"a", ["a"], Format(eol=False)),
        (b"a\r\nb\r\n", ["a", "b"], Format(fileformat="dos")),
        (b"a\r\nb", ["a", "b"], Format(fileformat="dos", eol=False)),
        (b"a\r\nb\nc\r\n", ["a\r", "b", "c\r"], Format()),
        (b"a\rb\n", ["a\rb"], Format()),
        (b"a\rb\r", ["a\rb\r"], Format(eol=False)),
        (b"caf\xe9\n", ["café"], Format("latin1")),
        (b"x\x00y\xff\xfez\n", ["x\0yÿþz"], Format("latin1")),
        (codecs.BOM_UTF8 + b"\xc3\xa9\n", ["é"], Format(bom=True)),
        (codecs.BOM_UTF16_LE + "é\r\nb\r\n".encode("utf-16-le"), ["é", "b"], Format("utf-16le", True, "dos")),
        (codecs.BOM_UTF16_BE + "é".encode("utf-16-be"), ["é"], Format("utf-16", True, eol=False)),
    ],
)
def test_how_files_are_read(data: bytes, lines: list[str], format: Format) -> None:
    assert decode(data) == FileText(lines, format)


def test_asked_for_utf8_odd_bytes_are_kept_one_by_one() -> None:
    text = decode(b"\xc3\xa9\xe9\n", "utf-8")
    assert text.lines == ["é\udce9"]


def test_a_character_without_a_place_is_named_before_anything_is_written() -> None:
    with pytest.raises(EncodeError, match=r"E513: .*'€' \(U\+20AC\) in line 2 has no place in latin1"):
        encode(["a", "x€"], Format("latin1"))
    with pytest.raises(EncodeError, match=r"\(U\+D800\)"):
        encode(["\ud800"], Format())


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"a\r\nb\r\n", "a\nB\n", b"a\r\nB\r\n"),
        (b"a\r\nB\r\n", "a\r\nC\r\n", b"a\r\nC\r\n"),
        (b"a\nb\n", "a\r\nB\r\n", b"a\nB\n"),
        (b"a\nb\n", "a\nB", b"a\nB"),
        (b"a\nb", "a\nB\n", b"a\nB\n"),
        (b"a\r\nb\nc\r\n", "a\r\nb\nC\r\n", b"a\r\nb\nC\r\n"),
        (codecs.BOM_UTF8 + b"a\n", "b\n", codecs.BOM_UTF8 + b"b\n"),
        (b"caf\xe9\n", "thé\n", b"th\xe9\n"),
        (b"a\n", "", b""),
        (b"a\n", "\n", b"\n"),
        (None, "a\r\nb\r\n", b"a\r\nb\r\n"),
        (None, "a\r\nb\n", b"a\r\nb\n"),
        (None, "a", b"a"),
        (None, "", b""),
    ],
)
def test_cases_a32_agents_text_keeps_the_files_form(before: bytes | None, content: str, after: bytes) -> None:
    text = merge_format(None if before is None else decode(before), content)
    assert encode(text.lines, text.format) == after


def test_cases_a33_what_is_served_writes_back_to_the_same_bytes() -> None:
    text = decode(b"caf\xe9\n")
    again = merge_format(text, served_text(text))
    assert encode(again.lines, again.format) == b"caf\xe9\n"
    with pytest.raises(ValueError, match="binary"):
        served_text(decode(b"\x00\x01\xff"))
    with pytest.raises(ValueError, match="no text"):
        served_text(decode(b"\xff", "utf-8"))
    assert served_text(decode(b"a\r\nb\r\n")) == "a\nb\n"
    assert served_text(decode(b"a\r\nb\n")) == "a\r\nb\n"


def test_mixed_line_ends_are_known() -> None:
    assert is_mixed(decode(b"a\r\nb\n"))
    assert not is_mixed(decode(b"a\r\nb\r\n"))
    assert not is_mixed(decode(b"a\rb\n"))


@given(st.binary(max_size=60))
def test_a_file_read_and_saved_is_the_same(data: bytes) -> None:
    from fakedisk import FakeDisk

    disk = FakeDisk({"/d/f": data})
    text = load("/d/f", fs=disk).text
    save("/d/f", encode(text.lines, text.format), fs=disk)
    assert disk.content("/d/f") == data


def test_a_name_that_does_not_exist_is_a_new_file(tmp_path: Path) -> None:
    loaded = load(str(tmp_path / "new"))
    assert loaded.stamp is None
    assert loaded.text == FileText([""], Format(eol=False))


@pytest.mark.parametrize("name", [b"bad\xe9name.txt", b"new\nline", b"-x", b"%#"])
def test_cases_b28_odd_names(tmp_path: Path, name: bytes) -> None:
    import os

    path = os.path.join(str(tmp_path), os.fsdecode(name))
    save(path, b"x\n")
    assert load(path).text.lines == ["x"]
    assert os.listdir(os.fsencode(tmp_path)) == [name]
