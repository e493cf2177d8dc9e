"""Run the Exerciser.

python -m tpy.acp.agents.exerciser [--login]     # with --login, session/new wants authenticate first
python -m tpy.acp.agents.exerciser --list        # its commands as a Markdown table
"""

import sys

from tpy.acp.agents.exerciser.agent import Exerciser
from tpy.acp.agents.exerciser.features import table
from tpy.acp.stdio import run


def main(argv: list[str]) -> int:
    """Run the agent, or print its commands."""
    if argv == ["--list"]:
        print(table(), end="")
        return 0
    return run(Exerciser(login="--login" in argv))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
