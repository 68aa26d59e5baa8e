"""Importing a framework at the moment it is needed."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from beatnote.execute.errors import MissingFrameworkError

if TYPE_CHECKING:
    from types import ModuleType


def is_installed(package: str) -> bool:
    """Tell whether a package could be imported, without importing it."""
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        return False


def not_installed(package: str, *, extra: str = "") -> str:
    """Say that a framework is not installed, and what to do."""
    return f"{package} is not installed: pip install 'beatnote[{extra or package}]'"


def require(package: str, *, extra: str = "") -> ModuleType:
    """Import a framework.

    Args:
        package: its name.
        extra: the extra that brings it, where that has another name.

    Raises:
        MissingFrameworkError: it is not installed, or its import fails.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        root = package.partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and error.name in (package, root):
            message = not_installed(root, extra=extra)
        else:
            message = f"{root} is installed but does not import: {error.msg.splitlines()[0]}"
        raise MissingFrameworkError(message) from error
