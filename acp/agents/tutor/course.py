"""The lesson: sixteen steps, what each wants to see, and how far a session has come.

Pure: a step's check looks at what reached the agent in a turn (`Seen`). What is shown in between is `agent.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

# A prompt or an answer that comes so soon, in seconds, was not typed after what it follows.
AT_ONCE = 0.4
CODE = 'answer = "forty-two"'


class Seen(NamedTuple):
    """What a turn brought: the prompt's words, those of the prompt before, and facts such as "think", "allow_once"."""

    text: str
    before: str
    facts: frozenset[str]


class Step(NamedTuple):
    """One step: what it teaches, what to do, whether that was done, and what is said when it was and was not."""

    title: str
    teach: str
    do: str
    check: Callable[[Seen], bool]
    praise: str
    hint: str


def _fact(*names: str) -> Callable[[Seen], bool]:
    return lambda seen: bool(seen.facts & set(names))


def _has_place(seen: Seen) -> bool:
    return re.search(r"^\S.*:\d+(-\d+)?\n`{3,}", seen.text, re.MULTILINE) is not None


STEPS = (
    Step(
        "The prompt",
        "You type in the lower window, the *prompt*; what is said stands in the upper one, the *conversation*. "
        "`<CR>` sends, `<C-j>` starts a new line.",
        "send me a message of two lines.",
        lambda seen: "\n" in seen.text.strip(),
        "Two lines, one message.",
        "That was one line: press `<C-j>` between two lines, then `<CR>`.",
    ),
    Step(
        "Nothing is lost",
        "`<Esc>` leaves Insert mode. Then `u` brings back what you sent, `<C-p>` and `<C-n>` go through all that you "
        "sent before, and `<CR>` sends here too.",
        "bring your last message back and send it again.",
        lambda seen: bool(seen.text.strip()) and seen.text == seen.before,
        "The same words again.",
        "That was something else than the message before. `<Esc>`, then `u` or `<C-p>`, then `<CR>`.",
    ),
    Step(
        "Commands",
        "`/` as the first character lists what an agent offers. Typing narrows the list, `<Tab>` takes an entry, "
        "`<Esc>` closes it.",
        "type `/th`, take `/think`, send it.",
        _fact("think"),
        "Long thoughts fold away; `zo` opens a fold, `zc` closes it.",
        "I wait for `/think`.",
    ),
    Step(
        "The conversation is text",
        "In Normal mode `<Tab>` goes to the conversation and back. There `]]` and `[[` go to your messages, `]m` to "
        "any, `]t` to tool calls; the rest is Vim's. `<C-c>` copies what the cursor is in, such as\n\n"
        f"```python\n{CODE}\n```",
        "`<Tab>`, `k` up to the code, `<C-c>`, `<Tab>`, `p`, `<CR>`.",
        lambda seen: CODE in seen.text,
        "Copied without its frame.",
        f"I wait for `{CODE}` in your message.",
    ),
    Step(
        "Files",
        "`@` at the start of a word lists the project's files. The file goes along as your editor has it, with what "
        "you have not saved. `@:buf` is the file beside, `@:sel` what you selected last, `@:diff` the changes git "
        "sees.",
        "send `explain @` with a file of the list, or `explain @:buf`.",
        _fact("resource", "resource_link"),
        "The file came with your words.",
        "No file came along. Type `explain @`, then `<Tab>` on a file.",
    ),
    Step(
        "From a file",
        "`gb` with a motion puts text of a file into my prompt: `gbip` a paragraph; `gB` sends it at once. `:ask why?` "
        "asks from any window, with a range it sends the lines along. `<C-w>t` goes to the file, `:agent Tutor` comes "
        "back here.",
        "go to the file and type `:.ask what is this?`",
        _has_place,
        "Path and line came with it.",
        "That had no line of a file. `<C-w>t`, then `:.ask what is this?`",
    ),
    Step(
        "Saying yes",
        "An agent asks before it acts. The question takes no key of yours: it waits in the conversation, and the "
        "status line tells of it. `:allow` answers from anywhere; or go to it with `]a` and press `y`, `Y` for "
        "always, or the number of an option.",
        "`/permission`, then say yes.",
        _fact("allow_once", "allow_always"),
        "That was your yes.",
        "I wait for a yes to `/permission`.",
    ),
    Step(
        "Saying no",
        "`:deny` says no, in the question `n` and `<Esc>` do. With words, as in `:deny too loud`, the agent reads your "
        "reason before your next message.",
        "`/permission`, then `:deny too loud`, then send me any word.",
        lambda seen: "I refused" in seen.text,
        "Your reason came with the message.",
        "No reason has come. `/permission`, `:deny too loud`, then a word.",
    ),
    Step(
        "Changes",
        "What I write lands in your buffer as one undo step. `]c` goes to the next hunk of the diff, `:agentfollow` "
        "to the file and line I worked on. There `u` takes the change back and `<C-r>` makes it again.",
        "`/edit @` and the name of the file you have open (`<Tab>` after the `@` lists names), `:allow`, "
        "`:agentfollow` to be in the file, `u`; then `:agent Tutor` and send me a word.",
        _fact("undone"),
        "My line is gone again.",
        "I see no change of mine taken back: `/edit @` with an open file, `:allow`, `:agentfollow`, `u`.",
    ),
    Step(
        "Waiting",
        "While I work you go on editing. What you send meanwhile waits in a queue; `:agentqueue` shows it as a buffer "
        "that you can edit.",
        "`/slow 8` and, while I count, any other message.",
        _fact("queued"),
        "It waited, and came when I was done.",
        "That came when nothing ran. Send `/slow 8`, and the next message before I am done.",
    ),
    Step(
        "Stopping",
        "`:cancel` from anywhere, or `<Esc>` in Normal mode here, stops me. A queue is then held until you send an "
        "empty prompt. `:agentrestart` begins anew, `:agentclose` ends the session.",
        "`/slow 60`, then stop me.",
        _fact("cancelled"),
        "Stopped, and ready for more.",
        "I wait to be stopped: `/slow 60`, then `:cancel`.",
    ),
    Step(
        "Modes and options",
        "`:agentset` lists my options, `:agentset pace=slow` sets one. `:agentmode` lists the modes, and "
        "`:agentmodel` the models of an agent that has some.",
        "`:agentmode auto`, then send me a word.",
        _fact("auto"),
        "In that mode I would not ask before I change a file. I go back to asking.",
        "I am still in the mode that asks: `:agentmode auto`.",
    ),
    Step(
        "Rules",
        "`:agentpermissions` is a buffer with a rule a line, kept over restarts; they answer for you. `dd` on a line "
        "revokes it.",
        "add the line `allow agent=Tutor kind=other`, then `:q`, then send `/permission`.",
        _fact("at once"),
        "I was allowed at once, by your rule. `:agentpermissions` and `dd` take it away.",
        "No rule answered. Is the line `allow agent=Tutor kind=other` there?",
    ),
    Step(
        "Forms",
        "What takes more than a yes is a form: a buffer with a line for each answer. `:agentanswer` checks it and "
        "sends it, `:agentdecline` declines.",
        "`/form`, go up to it with `<C-w>k` twice, write your name, `:agentanswer`.",
        _fact("form"),
        "Filled in and sent.",
        "I wait for an answered form: `/form`, then `:agentanswer`.",
    ),
    Step(
        "Terminals",
        "Agents run commands in terminals of the editor, in a group of processes of their own. The output stays in "
        "the conversation.",
        "`/terminal date`, then `:allow`.",
        _fact("terminal"),
        "The output can be searched and yanked like all the rest.",
        "I wait for a command that you allow: `/terminal date`.",
    ),
    Step(
        "The rest",
        "`:agents` lists all sessions, `:agent! Tutor` opens one more. `:agentstatus` tells what goes on, `:agentlog` "
        "and `:agenttrace` what is said underneath. `:w talk.md` in the conversation keeps it. `:agentedit` has lines "
        "rewritten, `:agentcommit` a commit message written, `:steer` speaks into a running turn. "
        "`:help agents` has it all.",
        "`:agent` with no name lists the agents your machine has, `:agentinit` writes your own list. That was the "
        "lesson: thank you.",
        lambda seen: False,
        "",
        "",
    ),
)


def step_text(number: int) -> str:
    """Return step `number`, counted from 1, as it is said."""
    step = STEPS[number - 1]
    return f"### {number} of {len(STEPS)} · {step.title}\n\n{step.teach}\n\n**Now:** {step.do}"


class Course:
    """How far one session has come: `at` is the step from 1, 0 before the lesson; `facts` are those of this turn."""

    def __init__(self) -> None:
        self.at = 0
        self.facts: set[str] = set()
        # What was written last: the path and the text.
        self.written: tuple[str, str] | None = None
        self._text = self._before = ""
        self._ended = float("-inf")

    @property
    def running(self) -> bool:
        """Whether a step waits to be done."""
        return 0 < self.at < len(STEPS)

    def waits_for(self, fact: str) -> bool:
        """Whether the step is the one that a fact does."""
        return self.running and STEPS[self.at - 1].check(Seen("", "", frozenset({fact})))

    def begin(self, text: str, facts: set[str], now: float) -> None:
        """Take a prompt that came at `now` with what is known of it."""
        self._before, self._text, self.facts = self._text, text, facts
        if now - self._ended < AT_ONCE:
            facts.add("queued")

    def end(self, now: float) -> None:
        """Note when the turn ended."""
        self._ended = now

    @property
    def passed(self) -> bool:
        """Whether this turn did what the step wants."""
        return self.running and STEPS[self.at - 1].check(Seen(self._text, self._before, frozenset(self.facts)))

    def go(self, argument: str) -> None:
        """Go to the step that `/lesson` names: a number, "next", else the one that waits."""
        if argument[:3].isdecimal():
            self.at = min(max(int(argument[:3]), 1), len(STEPS))
        else:
            self.at = min(max(self.at + (argument == "next"), 1), len(STEPS))

    def advance(self) -> str:
        """Take the next step; return the praise for this one with it."""
        done = STEPS[self.at - 1]
        self.at += 1
        return f"✓ {done.praise}\n\n{step_text(self.at)}"

    @property
    def hint(self) -> str:
        """What is said to somebody who has not done the step yet."""
        return f"{STEPS[self.at - 1].hint} (`/lesson` shows the step again, `/lesson next` skips it.)\n"
