"""The agents of others that the tests drive: where they are, how they are started, which version they are.

Those that need a model get a scripted one. They are big, so nothing here installs them: set `TPY_PEERS` to a folder in
which each is installed (`npm/gemini`, `py/kimi`, …, with a HOME of its own in `home/`), and `TPY_FAKE_MODEL` to a
program that is started with `--port 0`, prints the address it listens on, and does what the last line of a prompt says
(`read FILE`, `run LINE`, `slow SECONDS`, …). What is absent is skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import install

ROOT = Path(__file__).parents[2]
PEERS = Path(os.environ.get("TPY_PEERS", ROOT / ".peers" / "agents"))
MODEL = Path(os.environ.get("TPY_FAKE_MODEL", ROOT.parent / "shared" / "peers" / "fake_llm.py"))
EXAMPLES = ROOT / ".peers"
STEPS = (
    "start", "answer", "thought", "read", "edit", "write", "command", "cancel", "cancel asked", "close",
)  # fmt: skip
"""What is tried with an agent, in this order."""


class Peer(NamedTuple):
    """An agent. `env` may name `{peers}` and `{model}`; `steps` are those that it can do."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = MappingProxyType({})
    package: str = ""
    steps: tuple[str, ...] = STEPS

    def command(self) -> list[str]:
        """The command line, with this machine's folders."""
        return [part.format(peers=PEERS, examples=EXAMPLES, node=_node()) for part in self.argv]

    def environment(self, model: str, home: Path) -> dict[str, str]:
        """What is added to its environment."""
        return {name: value.format(model=model, home=home) for name, value in self.env.items()}

    @property
    def here(self) -> bool:
        """Whether it is installed, with the model it needs."""
        return all(Path(part).exists() for part in self.command() if "/" in part) and (not self.env or MODEL.exists())

    @property
    def version(self) -> str:
        """The version of its package."""
        path = Path(self.package.format(peers=PEERS, examples=EXAMPLES))
        if path.suffix == ".json":
            return str(json.loads(path.read_text(encoding="utf-8"))["version"])
        name = path.name
        found = next(path.parent.glob(f"lib/python*/site-packages/{name.replace('-', '_')}-*.dist-info"))
        return found.name.removesuffix(".dist-info").rpartition("-")[2]


def _node() -> str:
    own = PEERS / "node" / "bin" / "node"
    return str(own if own.exists() else install.node(EXAMPLES))


_NPM = "{peers}/npm/"
AGENTS = {
    "py-echo": Peer(
        ("{examples}/python/bin/python", "{examples}/python/examples/agent.py"),
        package="{examples}/python/agent-client-protocol",
        steps=("start", "answer", "close"),
    ),
    "ts-example": Peer(
        ("{node}", "{examples}/npm/node_modules/@agentclientprotocol/sdk/dist/examples/agent.js"),
        package="{examples}/npm/node_modules/@agentclientprotocol/sdk/package.json",
        steps=("start", "answer", "cancel", "close"),
    ),
    "gemini": Peer(
        ("{node}", _NPM + "gemini/node_modules/@google/gemini-cli/bundle/gemini.js", "--acp"),
        {
            "HOME": "{home}",
            "GEMINI_API_KEY": "fake",
            "GOOGLE_GEMINI_BASE_URL": "{model}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        _NPM + "gemini/node_modules/@google/gemini-cli/package.json",
    ),
    "claude": Peer(
        ("{node}", _NPM + "claude/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js"),
        {
            "HOME": "{home}",
            "ANTHROPIC_BASE_URL": "{model}",
            "ANTHROPIC_API_KEY": "fake",
            "ANTHROPIC_MODEL": "fake-model",
            "ANTHROPIC_SMALL_FAST_MODEL": "fake-model",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
        },
        _NPM + "claude/node_modules/@agentclientprotocol/claude-agent-acp/package.json",
    ),
    "codex": Peer(
        ("{node}", _NPM + "codex/node_modules/@zed-industries/codex-acp/bin/codex-acp.js"),
        {"HOME": "{home}", "CODEX_HOME": "{home}/.codex", "FAKE_KEY": "fake"},
        _NPM + "codex/node_modules/@zed-industries/codex-acp/package.json",
    ),
    "opencode": Peer(
        (_NPM + "opencode/node_modules/opencode-ai/bin/opencode.exe", "acp"),
        {
            "HOME": "{home}",
            "OPENCODE_CONFIG": "{home}/opencode.json",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        },
        _NPM + "opencode/node_modules/opencode-ai/package.json",
    ),
    "kimi": Peer(
        ("{peers}/py/kimi/bin/kimi", "acp"),
        {"HOME": "{home}", "KIMI_SHARE_DIR": "{home}/.kimi"},
        "{peers}/py/kimi/kimi-cli",
        tuple(step for step in STEPS if step != "thought"),  # its settings have thinking off
    ),
}


def settle(name: str, home: Path, model: str) -> None:
    """Give an agent a HOME with the settings of its own, the address of the model put in."""
    if (PEERS / "home" / name).is_dir():
        shutil.copytree(PEERS / "home" / name, home, symlinks=True)
    for path in home.rglob("*"):
        if path.suffix in (".toml", ".json") and path.is_file():
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("http://127.0.0.1:8765", model), encoding="utf-8")


@contextmanager
def model() -> Iterator[str]:
    """A scripted model; gives its address."""
    child = subprocess.Popen([sys.executable, str(MODEL), "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        match = re.search(r"http://\S+", child.stdout.readline())
        assert match is not None
        yield match[0]
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
