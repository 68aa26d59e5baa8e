"""The errors of running programs, each one line."""

from __future__ import annotations


class ExecutionError(RuntimeError):
    """A program that cannot be run; the message is one line with the first cause."""


class InputError(ValueError):
    """Inputs that do not fit a program's parameters; the message says which, what was expected and found."""


class MissingFrameworkError(ImportError):
    """A framework that is not installed, or does not import; the message names the extra that brings it."""
