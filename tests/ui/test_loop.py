"""The loop's order of service, its timers on a clock that is told, its budget and its signals."""

import os
import selectors
import signal
from collections.abc import Iterator

import pytest

from tpy.modal.loop import BUDGET, READ, WRITE, Loop


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Selector(selectors.SelectSelector):
    """Remembers what it was told to wait; never waits."""

    def __init__(self) -> None:
        super().__init__()
        self.timeouts: list[float | None] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.timeouts.append(timeout)
        return super().select(0)


@pytest.fixture
def pipes() -> Iterator[list[tuple[int, int]]]:
    pairs = [os.pipe() for _ in range(3)]
    yield pairs
    for pair in pairs:
        for fd in pair:
            os.close(fd)


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop(Clock(), Selector())
    yield loop
    loop.close()


def test_keyboard_then_frame_then_timers_then_agents(loop: Loop, pipes: list[tuple[int, int]]) -> None:
    seen: list[str] = []
    for number, (name, urgent) in enumerate([("agent", False), ("keys", True)]):
        reader, writer = pipes[number]
        loop.watch(reader, READ, lambda name=name: seen.append(name), urgent=urgent)
        os.write(writer, b"x")
    loop.call_later(0, lambda: seen.append("timer"))
    loop.frame = lambda: seen.append("frame")
    loop.turn()
    assert seen == ["keys", "frame", "timer", "frame", "agent", "frame"]


def test_no_timers_no_work_means_no_wake_ups(loop: Loop) -> None:
    loop.turn()
    assert loop._selector.timeouts == [None]


def test_sleeps_until_the_next_timer_that_is_not_cancelled(loop: Loop) -> None:
    loop.call_later(1.0, lambda: None).cancel()
    loop.call_later(2.5, lambda: None)
    loop.turn()
    assert loop._selector.timeouts == [2.5]


def test_timers_come_in_order_and_once(loop: Loop) -> None:
    seen: list[int] = []
    loop.call_later(2, lambda: seen.append(2))
    loop.call_later(1, lambda: seen.append(1))
    loop.call_later(1, lambda: seen.append(11))
    loop.turn()
    assert seen == []
    loop.time.now = 3
    loop.turn()
    loop.turn()
    assert seen == [1, 11, 2]


def test_a_timer_may_set_the_next(loop: Loop) -> None:
    seen: list[float] = []

    def tick() -> None:
        seen.append(loop.time())
        loop.call_later(1, tick)

    tick()
    for now in (1, 2):
        loop.time.now = now
        loop.turn()
    assert seen == [0, 1, 2]


def test_work_shares_the_budget_in_rotation(loop: Loop) -> None:
    seen: list[str] = []

    def piece(name: str, times: int):
        def work(deadline: float) -> bool:
            seen.append(name)
            loop.time.now += BUDGET / 3
            return seen.count(name) < times

        return work

    loop.call_work(piece("a", 5))
    loop.call_work(piece("b", 1))
    loop.turn()
    assert seen == ["a", "b", "a"]
    assert loop._timeout(None) == 0.0
    loop.turn()
    assert seen == ["a", "b", "a", "a", "a", "a"]
    assert loop._timeout(None) is None


def test_idle_work_waits_until_nothing_else_is_there(loop: Loop, pipes: list[tuple[int, int]]) -> None:
    seen: list[str] = []
    reader, writer = pipes[0]
    loop.watch(reader, READ, lambda: (seen.append("read"), os.read(reader, 1)))
    loop.call_idle(lambda deadline: bool(seen.append("idle")))
    os.write(writer, b"x")
    loop.turn()
    assert seen == ["read"]
    loop.turn()
    assert seen == ["read", "idle"]


def test_reading_and_writing_the_same_descriptor(loop: Loop, pipes: list[tuple[int, int]]) -> None:
    seen: list[str] = []
    _, writer = pipes[0]
    loop.watch(writer, WRITE, lambda: seen.append("write"))
    loop.watch(writer, READ, lambda: seen.append("read"))
    loop.turn()
    loop.unwatch(writer, WRITE)
    loop.turn()
    loop.unwatch(writer)
    loop.unwatch(writer)
    assert seen == ["write"]


def test_a_callback_may_unwatch_another_that_is_ready(loop: Loop, pipes: list[tuple[int, int]]) -> None:
    seen: list[int] = []

    def first(number: int) -> None:
        seen.append(number)
        for reader, _ in pipes:
            loop.unwatch(reader)

    for number, (reader, writer) in enumerate(pipes):
        loop.watch(reader, READ, lambda number=number: first(number))
        os.write(writer, b"x")
    loop.turn()
    assert len(seen) == 1


def test_errors_go_to_the_barrier_and_the_rest_is_served(loop: Loop) -> None:
    errors: list[Exception] = []
    seen: list[str] = []
    loop.on_error = errors.append
    loop.call_later(0, lambda: 1 / 0)
    loop.call_later(0, lambda: seen.append("after"))
    loop.call_work(lambda deadline: 1 / 0)
    loop.turn()
    assert [type(error) for error in errors] == [ZeroDivisionError] * 2
    assert seen == ["after"]


def test_without_a_barrier_errors_are_raised(loop: Loop) -> None:
    loop.call_later(0, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        loop.turn()


def test_signals_wake_a_sleeping_loop() -> None:
    loop = Loop()
    seen: list[str] = []
    before = signal.getsignal(signal.SIGUSR1)
    loop.on_signal(signal.SIGUSR1, lambda: (seen.append("usr1"), loop.stop()))
    os.kill(os.getpid(), signal.SIGUSR1)
    loop.run()
    loop.close()
    assert seen == ["usr1"]
    assert signal.getsignal(signal.SIGUSR1) == before
