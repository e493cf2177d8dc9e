"""An agent for the tests of `stdio`: prints, runs children that print, waits for a pipe of its own."""

import os
import subprocess
import sys

from tpy.acp.agent import Agent, Work
from tpy.acp.stdio import run
from tpy.acp.turn import Readable, Turn


class Noisy(Agent):
    """Does what its prompt says."""

    def prompt(self, turn: Turn) -> Work:
        """Write to standard output in every way there is, then answer."""
        print("printed")
        sys.stdout.write("written\n")
        os.write(1, b"by descriptor\n")
        child = subprocess.run(["sh", "-c", "echo from a child; cat"], check=False)
        ours, theirs = os.pipe()
        subprocess.Popen(["sh", "-c", f"sleep 0.1; echo ready >&{theirs}"], pass_fds=[theirs])
        os.close(theirs)
        ready = yield Readable(ours, 30)
        text = os.read(ours, 100).decode() if ready else "never"
        turn.say(f"{child.returncode} {text}")


sys.exit(run(Noisy()))
