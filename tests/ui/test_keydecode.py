"""The key decoder, fed whole and byte by byte: the same bytes are the same keys however they are cut."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.keymap import canonical
from tpy.modal.ui.keydecode import PATIENCE, Event, Focus, KeyDecoder, Mouse, Paste, Reply


class Clock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def decode(chunks: Iterable[bytes], has_meta: Callable[[str], bool] = lambda key: False) -> list[Event]:
    """All events of the chunks, and of what waits at the end once its time has come."""
    clock = Clock()
    decoder = KeyDecoder(clock, has_meta)
    events: list[Event] = []
    for chunk in chunks:
        events += decoder.feed(chunk)
    while (due := decoder.deadline()) is not None:
        clock.now = due
        events += decoder.expire(due)
        if events and isinstance(events[-1], Paste):
            break  # an unfinished paste waits on
    return events


def bytewise(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


REPLY = "a reply"
# What the terminal writes, and the keys it is.
TABLE: list[tuple[bytes, list[object]]] = [
    ("é日ă😀".encode(), ["é", "日", "ă", "😀"]),
    (b"\xff", ["\udcff"]),
    (b"\xe9x", ["\udce9", "x"]),
    (b"\xe6\x97", ["\udce6", "\udc97"]),
    (b"a<b", ["a", "<", "b"]),
    (b"0123456789", list("0123456789")),
    # Escape
    (b"\x1b", ["<Esc>"]),
    (b"\x1b\x1b", ["<Esc>", "<Esc>"]),
    (b"\x1bj", ["<Esc>", "j"]),
    (b"\x1b:wq\r", ["<Esc>", ":", "w", "q", "<CR>"]),
    (b"abc\x1bdd", ["a", "b", "c", "<Esc>", "d", "d"]),
    (b"\x1b\xc3\xa9", ["<Esc>", "é"]),
    (b"\x1b[", ["<Esc>", "["]),
    (b"\x1bO", ["<Esc>", "O"]),
    (b"\x1bOnew", ["<Esc>", "O", "n", "e", "w"]),
    (b"\x1b\xc3", ["<Esc>", "\udcc3"]),
    (b"\x1bPx", ["<Esc>", "P", "x"]),
    (b"\x1bP3j", ["<Esc>", "P", "3", "j"]),
    (b"\x1bX", ["<Esc>", "X"]),
    (b"\x1b]x", ["<Esc>", "]", "x"]),
    (b"\x1b_", ["<Esc>", "_"]),
    (b"\x1b\x1b[A", ["<Esc>", "<Up>"]),
    # control characters
    (b"\x00\x1f\x1c\x1d\x1e\x13\x11", ["<C-@>", "<C-_>", "<C-\\>", "<C-]>", "<C-^>", "<C-s>", "<C-q>"]),
    (b"\r\n\t\x08\x7f", ["<CR>", "<C-j>", "<Tab>", "<C-h>", "<BS>"]),
    (b"\x03\x16\x1a", ["<C-c>", "<C-v>", "<C-z>"]),
    # cursor and function keys
    (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["<Up>", "<Down>", "<Right>", "<Left>"]),
    (b"\x1bOA\x1bOB\x1bOC\x1bOD", ["<Up>", "<Down>", "<Right>", "<Left>"]),
    (b"\x1b[H\x1bOH\x1b[1~\x1b[7~", ["<Home>"] * 4),
    (b"\x1b[F\x1bOF\x1b[4~\x1b[8~", ["<End>"] * 4),
    (b"\x1b[2~\x1b[3~\x1b[5~\x1b[6~", ["<Insert>", "<Del>", "<PageUp>", "<PageDown>"]),
    (b"\x1bOP\x1b[11~\x1b[P\x1b[[A", ["<F1>"] * 4),
    (b"\x1bOS\x1b[15~\x1b[24~", ["<F4>", "<F5>", "<F12>"]),
    (b"\x1b[1;2A\x1b[1;2B\x1b[1;2C\x1b[1;2D", ["<S-Up>", "<S-Down>", "<S-Right>", "<S-Left>"]),
    (b"\x1b[1;5C\x1b[5D\x1b[1;3A\x1b[1;6A", ["<C-Right>", "<C-Left>", "<M-Up>", "<C-S-Up>"]),
    (b"\x1b[15;2~\x1b[3;5~\x1b[1;2R\x1b[Z", ["<S-F5>", "<C-Del>", "<S-F3>", "<S-Tab>"]),
    # kitty and modifyOtherKeys
    (b"\x1b[27u\x1b[91;5u", ["<Esc>", "<Esc>"]),
    (b"\x1b[13;2u\x1b[13;5u\x1b[13;3u", ["<S-CR>", "<C-CR>", "<M-CR>"]),
    (b"\x1b[27;5;13~\x1b[27;5;106~", ["<C-CR>", "<C-j>"]),
    (b"\x1b[106;5u\x1b[119;5u\x1b[97;3u\x1b[97;4u", ["<C-j>", "<C-w>", "<M-a>", "<M-A>"]),
    (b"\x1b[97;6u\x1b[97;69u", ["<C-S-a>", "<C-a>"]),
    (b"\x1b[32;5u\x1b[54;5u\x1b[54:94;6u\x1b[47;5u", ["<C-@>", "<C-^>", "<C-^>", "<C-_>"]),
    (b"\x1b[49:33;4u\x1b[1089::99;5u", ["<M-!>", "<C-c>"]),
    (b"\x1b[57414u\x1b[57399u\x1b[57417u", ["<CR>", "0", "<Left>"]),
    (b"\x1b[97;1:2u\x1b[1;1:1A", ["a", "<Up>"]),
    (b"\x1b[97;1:3u\x1b[57441u", [REPLY, REPLY]),
    # what no key is
    (b"\x1b[I\x1b[O", [Focus(True), Focus(False)]),
    (b"\x1b[12;40Rx", [REPLY, "x"]),
    (b"\x1b[?62;4cx", [REPLY, "x"]),
    (b"\x1b[>0;276;0c\x1b[?1u\x1b[?2026;2$yx", [REPLY, REPLY, REPLY, "x"]),
    (b"\x1b]11;rgb:0000/0000/0000\x07x", [REPLY, "x"]),
    (b"\x1b]11;rgb:0000/0000/0000\x1b\\x", [REPLY, "x"]),
    (b"\x1bP1$r0m\x1b\\x", [REPLY, "x"]),
    (b"\x1bP>|xterm(380)\x1b\\x", [REPLY, "x"]),
    (b"\x1b]11;rgb:00\x1b[Ax", [REPLY, "<Up>", "x"]),
    (b"\x1b[1;", [REPLY]),
    (b"\x1b[?62", [REPLY]),
    (b"\x1b]11;rgb:", [REPLY]),
    # mouse
    (b"\x1b[<0;10;5M\x1b[<0;10;5m", [Mouse("<LeftMouse>", 4, 9), Mouse("<LeftRelease>", 4, 9)]),
    (b"\x1b[<32;11;5M\x1b[<2;1;1M", [Mouse("<LeftDrag>", 4, 10), Mouse("<RightMouse>", 0, 0)]),
    (b"\x1b[<64;1;2M\x1b[<65;1;2M", [Mouse("<ScrollWheelUp>", 1, 0), Mouse("<ScrollWheelDown>", 1, 0)]),
    (b"\x1b[<20;3;3M", [Mouse("<C-S-LeftMouse>", 2, 2)]),
    (b"\x1b[M !!", [Mouse("<LeftMouse>", 0, 0)]),
    (b"\x1b[M#!!x", [Mouse("<LeftRelease>", 0, 0), "x"]),
    # pastes
    (b"\x1b[200~hello\rworld\x1b[201~x", [Paste("hello\nworld"), "x"]),
    (b"\x1b[200~\x1b[201~", [Paste("")]),
    (b"\x1b[200~a\x1b:q!\r\nb\x1b[20\x1b[201~", [Paste("a\x1b:q!\nb\x1b[20")]),
    ("\x1b[200~é😀\x1b[201~".encode(), [Paste("é😀")]),
]


@pytest.mark.parametrize(("data", "keys"), TABLE, ids=[repr(data)[2:40] for data, _ in TABLE])
def test_whole_and_byte_by_byte(data: bytes, keys: list[object]) -> None:
    for chunks in ([data], bytewise(data)):
        events = [REPLY if isinstance(event, Reply) else event for event in decode(chunks)]
        assert events == keys


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"\x1bx", ["<M-x>"]),
        (b"\x1b\r", ["<M-CR>"]),
        ("\x1bé".encode(), ["<M-é>"]),
        (b"\x1b\x7f", ["<M-BS>"]),
        (b"\x1b ", ["<M- >"]),
        (b"\x1b[", ["<M-[>"]),
        (b"\x1b\x1b", ["<Esc>", "<Esc>"]),
    ],
)
def test_meta_when_mapped_and_alone(data: bytes, keys: list[str]) -> None:
    for chunks in ([data], bytewise(data)):
        assert decode(chunks, lambda key: True) == keys


@pytest.mark.parametrize("chunks", [[b"\x1b:wq\r"], [b"i\x1bx"], [b"abc\x1b", b"dd"], [b"\x1bx\x1bx"]])
def test_no_meta_within_typed_ahead_keys(chunks: list[bytes]) -> None:
    events = decode(chunks, lambda key: True)
    assert "<Esc>" in events
    assert not [event for event in events if isinstance(event, str) and "M-" in event]


def test_meta_asks_for_the_key_in_the_spelling_of_keymaps() -> None:
    asked: list[str] = []
    decode([b"\x1b<"], lambda key: bool(asked.append(key)))
    assert asked == [canonical("M-lt")]


def test_a_lone_escape_waits_only_for_ttimeout() -> None:
    clock = Clock()
    decoder = KeyDecoder(clock, ttimeout=0.05)
    assert decoder.feed(b"\x1b") == []
    assert decoder.deadline() == pytest.approx(100.05)
    assert decoder.expire(100.04) == []
    assert decoder.expire(100.06) == ["<Esc>"]
    assert decoder.deadline() is None


def test_a_cut_character_waits_longer_than_a_key() -> None:
    decoder = KeyDecoder(Clock())
    assert decoder.feed("日".encode()[:1]) == []
    assert decoder.expire(100.0 + PATIENCE / 2) == []
    assert decoder.feed("日".encode()[1:]) == ["日"]
    assert decoder.deadline() is None


def test_nothing_waits_after_complete_input() -> None:
    decoder = KeyDecoder(Clock())
    decoder.feed(b"abc\x1b[A\x1b[200~x\x1b[201~\x1b]11;x\x07")
    assert decoder.deadline() is None


def test_an_unfinished_paste_is_handed_over_and_escape_ends_it() -> None:
    clock = Clock()
    decoder = KeyDecoder(clock)
    assert decoder.feed(b"\x1b[200~half") == []
    clock.now += PATIENCE
    assert decoder.expire(clock.now) == [Paste("half")]
    assert decoder.feed(b"\x1b[27u") == ["<Esc>"]
    assert decoder.feed(b"x") == ["x"]


def test_a_paste_that_pauses_goes_on_as_a_paste() -> None:
    clock = Clock()
    decoder = KeyDecoder(clock)
    decoder.feed(b"\x1b[200~one:q!")
    clock.now += PATIENCE
    assert decoder.expire(clock.now) == [Paste("one:q!")]
    assert decoder.feed(b"\r:q!\r\x1b[201~x") == [Paste("\n:q!\n", goes_on=True), "x"]
    assert decoder.feed(b"\x1b[200~new\x1b[201~") == [Paste("new")]


def test_an_answer_without_end_gives_the_keyboard_back() -> None:
    clock = Clock()
    decoder = KeyDecoder(clock)
    decoder.feed(b"\x1b]11;rgb:")
    first = decoder.deadline()
    clock.now += PATIENCE / 2
    decoder.feed(b"abc")
    assert decoder.deadline() == first  # typing doesn't prolong it
    assert isinstance(decoder.expire(100.0 + PATIENCE)[0], Reply)
    assert decoder.feed(b"x") == ["x"]


def test_an_endless_answer_keeps_little() -> None:
    decoder = KeyDecoder(Clock())
    decoder.feed(b"\x1b]52;c;")
    for _ in range(100):
        decoder.feed(b"A" * 10_000)
    (reply,) = decoder.feed(b"\x07")
    assert isinstance(reply, Reply)
    assert len(reply.data) <= 4096


PIECES = st.sampled_from([data for data, keys in TABLE if keys and REPLY not in keys[-1:] and data != b"\xe6\x97"])


@given(st.lists(PIECES, max_size=6), st.lists(st.integers(1, 7), max_size=30))
def test_cutting_anywhere_changes_nothing(pieces: list[bytes], cuts: list[int]) -> None:
    """Complete input is read alike however it is cut; only Escape, which time decides, is left out."""
    data = b"x".join(piece for piece in pieces if not piece.startswith(b"\x1b") or len(piece) > 3) + b"x"
    chunks, at = [], 0
    for cut in cuts:
        chunks.append(data[at : at + cut])
        at += cut
    assert decode([*chunks, data[at:]]) == decode([data])


@given(st.binary(max_size=60))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    for event in decode(bytewise(data)):
        if isinstance(event, str) and len(event) > 1:
            assert event in ("<C-?>", "<MouseMove>") or canonical(event[1:-1]) == event
