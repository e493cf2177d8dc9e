"""Which Pygments lexer colours a file: by `'syntax'`, name, ending or first line; never by guessing from the text.

The table below decides what several languages share (`.h` is C++, `.pl .pm .t` are Perl, `.m` is Objective-C); what it
doesn't name is looked up in Pygments' own table of names. Modules of lexers are imported when a file needs them.
"""

from __future__ import annotations

import importlib
import os
import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

# language: (module of pygments.lexers, class, endings, whole names)
_TABLE: dict[str, tuple[str, str, str, str]] = {
    "python": ("python", "PythonLexer", "py pyi pyw pyx", "SConstruct SConscript"),
    "c": ("c_cpp", "CLexer", "c idc", ""),
    "cpp": ("c_cpp", "CppLexer", "cpp cc cxx h hh hpp hxx c++ C H", ""),
    "objective-c": ("objective", "ObjectiveCLexer", "m mm", ""),
    "java": ("jvm", "JavaLexer", "java", ""),
    "kotlin": ("jvm", "KotlinLexer", "kt kts", ""),
    "scala": ("jvm", "ScalaLexer", "scala", ""),
    "csharp": ("dotnet", "CSharpLexer", "cs", ""),
    "go": ("go", "GoLexer", "go", ""),
    "rust": ("rust", "RustLexer", "rs", ""),
    "swift": ("objective", "SwiftLexer", "swift", ""),
    "javascript": ("javascript", "JavascriptLexer", "js mjs cjs jsx", ""),
    "typescript": ("javascript", "TypeScriptLexer", "ts tsx mts cts", ""),
    "json": ("data", "JsonLexer", "json jsonl ipynb webmanifest", ".prettierrc .eslintrc"),
    "yaml": ("data", "YamlLexer", "yaml yml", ".clang-format"),
    "toml": ("configs", "TOMLLexer", "toml", "Cargo.lock Pipfile poetry.lock uv.lock"),
    "ini": ("configs", "IniLexer", "ini cfg inf service desktop", ".gitconfig .editorconfig setup.cfg"),
    "dockerfile": ("configs", "DockerLexer", "dockerfile", "Dockerfile Containerfile"),
    "bash": ("shell", "BashLexer", "sh bash ksh zsh ebuild", ".bashrc .profile .bash_profile .zshrc PKGBUILD"),
    "fish": ("shell", "FishShellLexer", "fish", ""),
    "powershell": ("shell", "PowerShellLexer", "ps1 psm1", ""),
    "make": ("make", "MakefileLexer", "mk mak", "Makefile makefile GNUmakefile"),
    "cmake": ("make", "CMakeLexer", "cmake", "CMakeLists.txt"),
    "perl": ("perl", "PerlLexer", "pl pm t", ""),
    "ruby": ("ruby", "RubyLexer", "rb rake gemspec", "Rakefile Gemfile"),
    "php": ("php", "PhpLexer", "php", ""),
    "lua": ("scripting", "LuaLexer", "lua", ""),
    "html": ("html", "HtmlLexer", "html htm xhtml", ""),
    "xml": ("html", "XmlLexer", "xml xsl xsd svg plist rss", ""),
    "css": ("css", "CssLexer", "css", ""),
    "scss": ("css", "ScssLexer", "scss", ""),
    "sql": ("sql", "SqlLexer", "sql", ""),
    "markdown": ("markup", "MarkdownLexer", "md markdown mkd", ""),
    "rst": ("markup", "RstLexer", "rst rest", ""),
    "tex": ("markup", "TexLexer", "tex sty cls aux toc", ""),
    "diff": ("diff", "DiffLexer", "diff patch", ""),
    "vim": ("textedit", "VimLexer", "vim", ".vimrc .exrc .gvimrc _vimrc"),
    "r": ("r", "SLexer", "R r S", ".Rprofile .Rhistory"),
    "haskell": ("haskell", "HaskellLexer", "hs", ""),
    "ocaml": ("ml", "OcamlLexer", "ml mli", ""),
    "elixir": ("erlang", "ElixirLexer", "ex exs", ""),
    "erlang": ("erlang", "ErlangLexer", "erl hrl", ""),
    "clojure": ("jvm", "ClojureLexer", "clj cljs", ""),
    "lisp": ("lisp", "CommonLispLexer", "cl lisp", ""),
    "scheme": ("lisp", "SchemeLexer", "scm ss", ""),
    "emacs": ("lisp", "EmacsLispLexer", "el", ".emacs"),
    "julia": ("julia", "JuliaLexer", "jl", ""),
    "zig": ("zig", "ZigLexer", "zig", ""),
    "nix": ("nix", "NixLexer", "nix", ""),
    "awk": ("textedit", "AwkLexer", "awk", ""),
}
# Other names of languages, as `'syntax'` and code fences give them.
_ALIASES = {
    "py": "python", "python3": "python", "c++": "cpp", "js": "javascript", "ts": "typescript", "sh": "bash",
    "shell": "bash", "zsh": "bash", "yml": "yaml", "md": "markdown", "docker": "dockerfile", "rs": "rust",
    "golang": "go", "cs": "csharp", "kt": "kotlin", "rb": "ruby", "latex": "tex", "makefile": "make",
    "dosini": "ini", "objc": "objective-c",
}  # fmt: skip
# Programs in a first line `#!…`.
_PROGRAMS = {
    "python": "python", "sh": "bash", "bash": "bash", "zsh": "bash", "ksh": "bash", "dash": "bash", "fish": "fish",
    "perl": "perl", "ruby": "ruby", "node": "javascript", "deno": "typescript", "lua": "lua", "php": "php",
    "awk": "awk", "gawk": "awk", "make": "make", "Rscript": "r", "elixir": "elixir", "julia": "julia",
}  # fmt: skip
NONE = ("off", "none", "text", "plain", "plaintext", "txt")
_ENDINGS = {ending: language for language, row in _TABLE.items() for ending in row[2].split()}
_WHOLE = {name: language for language, row in _TABLE.items() for name in row[3].split()}
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*/)?([A-Za-z]+)")
_PLAIN_ENDINGS = ("txt", "text", "log", "out", "csv", "tsv")


@lru_cache(maxsize=64)
def language_of(name: str, first_line: str) -> str:
    """The language of a file by its name, else by its first line; `""` for plain text. Pygments' own names may come."""
    base = os.path.basename(name)
    while base.endswith(("~", ".orig", ".bak", ".in")) and "." in base:
        base = base[:-1] if base.endswith("~") else base.rpartition(".")[0]
    if base in _WHOLE:
        return _WHOLE[base]
    stem, dot, ending = base.rpartition(".")
    if dot and stem:
        if ending in _PLAIN_ENDINGS:
            return ""
        found = _ENDINGS.get(ending) or _ENDINGS.get(ending.lower())
        if found:
            return found
    match = _SHEBANG.match(first_line[:200])
    if match and match[1] in _PROGRAMS:
        return _PROGRAMS[match[1]]
    if first_line.startswith("<?xml"):
        return "xml"
    if first_line[:9].lower() == "<!doctype" or first_line[:5].lower() == "<html":
        return "html"
    return _by_pattern(base) if base else ""


@lru_cache(maxsize=256)
def _by_pattern(base: str) -> str:
    """A name that only Pygments' table knows: the first lexer in its order of names."""
    from pygments.lexers._mapping import LEXERS

    found = sorted(
        row[2][0] for row in LEXERS.values() if row[2] and any(fnmatchcase(base, pattern) for pattern in row[3])
    )
    return found[0] if found else ""


def lexer_class(language: str) -> Any | None:
    """The Pygments class for a language's name in any spelling, or None."""
    language = language.lower()
    language = _ALIASES.get(language, language)
    if not language or language in NONE:
        return None
    if language in _TABLE:
        module, name = _TABLE[language][:2]
        return getattr(importlib.import_module(f"pygments.lexers.{module}"), name)
    from pygments.lexers._mapping import LEXERS

    for name, row in LEXERS.items():
        if language in row[2]:
            return getattr(importlib.import_module(row[0]), name)
    return None


def language_names() -> list[str]:
    """The names `:set syntax=` completes."""
    return sorted({*_TABLE, *_ALIASES})
