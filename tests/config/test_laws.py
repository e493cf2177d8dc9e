"""Laws that hold for any input: reading never raises anything but the error for people, secrets never come out."""

from __future__ import annotations

import contextlib
import json

from hypothesis import given
from hypothesis import strategies as st

from tpy.acp import config, trace
from tpy.acp.agententry import ConfigError, fingerprint
from tpy.modal.arguments import UsageError, read_arguments
from tpy.modal.startup import Startup

KEYS = st.sampled_from(
    ["name", "command", "args", "env", "cwd", "mcp", "defaults", "protocol", "timeout", "roots", "x", "agent"]
)
VALUES = st.recursive(
    st.one_of(
        st.text(max_size=8),
        st.integers(-5, 5),
        st.booleans(),
        st.floats(allow_nan=False, allow_infinity=False, width=16),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)


def toml(value: object) -> str:
    """A TOML spelling of a plain value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def accepted(data: bytes) -> bool:
    """Whether the bytes are an agents file; anything but `ConfigError` is let through as a failure."""
    message = ""
    try:
        entries = config.parse(data, "~/acp.toml")
    except ConfigError as error:
        message = str(error)
    if message:
        assert message.startswith("reading ~/acp.toml: ")
        assert "\n" not in message
        return False
    for entry in entries:
        assert entry.name
        assert entry.command
        assert len(fingerprint(entry)) == 64
    return True


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_message(data: bytes) -> None:
    accepted(data)
    accepted(b'[[agent]]\nname = "a"\ncommand = "b"\n' + data)


@given(st.dictionaries(KEYS, VALUES, max_size=5), st.dictionaries(KEYS, VALUES, max_size=2))
def test_any_toml_is_read_or_refused_with_a_message(block: dict[str, object], top: dict[str, object]) -> None:
    lines = [f"{key} = {toml(value)}" for key, value in top.items()]
    lines += ["[[agent]]", *(f"{key} = {toml(value)}" for key, value in block.items())]
    accepted("\n".join(lines).encode("utf-8", "replace"))


NAMES = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)


@given(NAMES, st.text(st.characters(min_codepoint=32, blacklist_categories=["Cs", "Zl", "Zp", "Cc"]), min_size=1))
def test_a_trace_line_reads_back(name: str, line: str) -> None:
    text = trace.format_head(1.5, name, trace.SENT) + line
    assert "\n" not in text
    assert trace.parse_line(text) == (1.5, name, trace.SENT, line)


SECRET = "s3cr3t-value"
WITH_ENV = st.recursive(
    st.one_of(
        st.just({"env": [{"name": "K", "value": SECRET}]}),
        st.just({"env": {"K": SECRET}}),
        st.just({"headers": [{"name": "H", "value": SECRET}]}),
        st.text(max_size=5),
        st.none(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=8,
)


@given(WITH_ENV, st.booleans())
def test_no_secret_gets_into_a_trace_however_deep(value: object, ascii_only: bool) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    kept = trace.without_secrets(line)
    assert SECRET.encode() not in kept
    if SECRET.encode() not in line:
        assert json.loads(kept) == value


@given(st.lists(st.text(max_size=6), max_size=6))
def test_any_command_line_is_read_or_refused(words: list[str]) -> None:
    with contextlib.suppress(UsageError):
        assert isinstance(read_arguments(words), Startup | str)
