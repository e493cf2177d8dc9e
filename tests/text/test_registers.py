"""The register bank: where yanks and deletes go, what `""` stands for, appending."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.text.position import BLOCK, CHAR, LINE
from tpy.modal.text.registers import Register, RegisterBank, from_text

REGISTERS = st.builds(
    Register,
    st.lists(st.text("ab ", max_size=3), min_size=1, max_size=3).map(tuple),
    st.sampled_from([CHAR, LINE]),
)
DELETES = st.lists(st.tuples(REGISTERS, st.sampled_from([None, "a", "b", "_"])), max_size=14)


@given(st.text("ab\n", max_size=12))
def test_text_and_register_are_each_other(text: str) -> None:
    assert from_text(text).text() == (text if text != "\n" else "\n")


@given(DELETES)
def test_deleted_lines_go_down_the_numbered_registers(deletes: list[tuple[Register, str | None]]) -> None:
    bank = RegisterBank()
    kept = []
    for register, name in deletes:
        bank.delete(name, register, small=False, numbered=True)
        if name != "_":
            kept.insert(0, register)
    for digit, register in zip("123456789", kept, strict=False):
        assert bank.get(digit) == register


@given(REGISTERS, REGISTERS)
def test_a_capital_appends(first: Register, second: Register) -> None:
    bank = RegisterBank()
    bank.yank("a", first)
    bank.yank("A", second)
    held = bank.get("a")
    assert held is not None
    if LINE in (first.kind, second.kind):
        assert held == Register(first.lines + second.lines, LINE)
    else:
        assert held.text() == first.text() + second.text()
    assert bank.get('"') == held


def test_a_block_grows_by_lines() -> None:
    bank = RegisterBank()
    bank.yank("a", Register(("xy", "z"), BLOCK, 2))
    bank.yank("A", Register(("w",)))
    assert bank.get("a") == Register(("xy", "z", "w"), BLOCK, 2)


def test_a_small_delete_goes_to_the_minus_register_unless_one_is_named() -> None:
    bank = RegisterBank()
    bank.delete(None, Register(("x",)), small=True, numbered=False)
    assert (bank.get("-"), bank.get("1"), bank.get('"')) == (Register(("x",)), None, Register(("x",)))
    bank.delete("b", Register(("y",)), small=True, numbered=False)
    assert (bank.get("-"), bank.get("b"), bank.get('"')) == (Register(("x",)), Register(("y",)), Register(("y",)))


def test_some_motions_fill_both_numbered_and_minus_registers() -> None:
    bank = RegisterBank()
    bank.delete(None, Register(("(x)",)), small=True, numbered=True)
    assert bank.get("1") == bank.get("-") == Register(("(x)",))


def test_the_black_hole_keeps_nothing() -> None:
    bank = RegisterBank()
    bank.yank(None, Register(("x",)))
    bank.delete("_", Register(("y",)), small=True, numbered=True)
    assert bank.get("_") == Register(("",))
    assert bank.get('"') == Register(("x",))
    assert bank.get("1") is None
