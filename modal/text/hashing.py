"""BLAKE2 without the rest of `hashlib`, which loads OpenSSL: that would be felt at each start."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # a Python that has it only there
    from hashlib import blake2b

__all__ = ["blake2b"]
