"""Fixtures of the screen tests: editors that are gone when the test is."""

from starting import tpy

__all__ = ["tpy"]
