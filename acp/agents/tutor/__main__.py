"""Run the Tutor: `python -m tpy.acp.agents.tutor`."""

import sys

from tpy.acp.agents.tutor.agent import Tutor
from tpy.acp.stdio import run

if __name__ == "__main__":
    sys.exit(run(Tutor()))
