"""What the Tutor says: every text a newcomer reads, as data. Nothing here knows the protocol."""

from __future__ import annotations

WELCOME = """\
Welcome. I am the **Tutor**: a small program on your own machine, with no model and no network behind me. \
I behave as a big agent does, so that you can try everything here without risk.

You just typed in the lower window, the *prompt*, and sent it with `<CR>`. This text streams into the upper \
one, the *conversation*, which is an ordinary buffer: `/`, `*`, `yy`, folds and `:w talk.md` work in it.

Try one of these now:

- `/lesson` goes through it all in ten minutes, and sees whether you did it
- `/edit` changes a file of this directory, after asking you
- `/slow` is there to be cancelled
- `/help` lists what I can do

Type `/` as the first character and the list comes by itself; `<Tab>` takes an entry.
"""

HELP = """\
| you type | I show |
| --- | --- |
| `/lesson` and a number, or `next` | the agent window in sixteen steps |
| `/edit` and a file | reading, a diff, a permission, a write |
| `/permission` | a question and its answers |
| `/plan` | a plan whose steps get done |
| `/think` | a thought, folded away |
| `/terminal` and a command | a command in a terminal of your editor |
| `/slow` and seconds | a long turn, for `:cancel` |
| `/markdown` | headings, lists, a table, code |
| `/form` | a form to fill in |

`:agentset` shows my options: with `pace` I talk faster or slower, and in mode `auto` I ask nothing before I edit.
"""

DEFAULT = """\
I am only the Tutor, so I cannot really answer that. An agent with a model would have read your words, and the \
files you named with `@`. `/help` lists what I can do; `/lesson` begins with the two windows.
"""

MARKDOWN = """\
## What an answer may hold

Text with *emphasis*, **more of it**, and `code`. A list:

1. one
2. two
   - and a half

> A quotation.

| key | effect |
| --- | --- |
| `]]` | the next message of yours |
| `if` | the text of a code fence, as in `yif` |

```python
def greet(name: str) -> str:
    return f"Hello, {name}"
```

With the cursor in the fence, `<C-c>` copies the code and nothing around it.
"""

THOUGHT = """\
This is a thought: what an agent tells itself before it answers. It comes in its own colour and folds away; \
`zo` opens it, `zc` closes it. Nothing in it was meant for you, but it often says why.
"""

AFTER_THOUGHT = "That was a thought, above this line. `zo` opens the fold, `zc` closes it.\n"

PLAN = (
    "Look at what is there",
    "Decide what to change",
    "Change it",
    "Tell what was done",
)

AFTER_PLAN = "The plan is done. An agent sends it whole each time, so you always see the state of every step.\n"

PERMISSION_INTRO = """\
I am going to ask you something. Nothing hangs on the answer. Use `:allow` or `:deny`, or `]a` and then `y` or `n`.
"""

ANSWERS = {
    "allow_once": "You said **yes, once**. I would ask again the next time.\n",
    "allow_always": "You said **yes, always**. For the rest of this session I would not ask for this again.\n",
    "reject_once": "You said **no**. I leave it, and carry on with the rest of the turn.\n",
    "reject_always": "You said **never**. I would not ask for this again.\n",
    "": "The question was put away without an answer. I take that as a no.\n",
}

EDITED = """\
Done: line {line} of `{name}` is mine. Press `u` in that file to take it back.
"""

DENIED = """\
Fine, `{name}` stays as it is. A denied call is marked as failed and the turn goes on, as you see.
"""

NO_CHOICE = """\
Which file? Type `/edit ` and then `@`: the list shows the files of this project.
"""

NO_COMMENTS = "`{name}` has no room for a remark of mine: in JSON any extra line would break it. Try another file.\n"

STOPPED_SLOW = "Stopped at {count} of {total}: that was your cancel. Nothing was lost, and the window is yours again.\n"

STOPPED = "Stopped.\n"

SLOW_INTRO = "I count to {total}, one a second. Go on editing meanwhile, or stop me with `:cancel`.\n\n"

SLOW_DONE = "\n\nThat was all. Next time, stop me: `:cancel` from anywhere, or `<Esc>` in Normal mode here.\n"

TERMINAL_DONE = (
    "The command ended with {status}. Its output stays in the conversation, where it can be searched and yanked.\n"
)

TERMINAL_DENIED = "Then I run nothing.\n"

FORM = "three questions, to show what a form looks like"

FORM_DONE = "You answered: {answers}.\n"

FORM_DECLINED = "You declined, which is an answer too.\n"

NOT_OFFERED = "I would show you more here, but this editor does not offer agents what it takes ({what}).\n"

FAILED = "That did not work: {why}. Nothing was changed.\n"

COMMANDS = (
    ("help", "what I can do", ""),
    ("lesson", "the agent window in ten minutes", "number or next"),
    ("edit", "change a file, after asking", "file"),
    ("permission", "ask you something", ""),
    ("plan", "make a plan and follow it", ""),
    ("think", "think aloud", ""),
    ("terminal", "run a command in a terminal of the editor", "command"),
    ("slow", "take my time, to be cancelled", "seconds"),
    ("markdown", "show what an answer may hold", ""),
    ("form", "ask with a form", ""),
)
