"""The names that jaxlib does not promise to keep."""

from __future__ import annotations

import sys

import pytest

from beatnote.execute import jaxlib_private
from beatnote.execute.errors import MissingFrameworkError


def test_every_private_name_is_there():
    # GIVEN the installed jaxlib WHEN its private names are looked up THEN this lists those that are gone
    assert jaxlib_private.missing_names() == []


def test_a_name_that_is_gone_is_named(monkeypatch):
    # GIVEN names of which a module, a class and a member do not exist
    gone = ["jaxlib._gone.name", "jaxlib._hlo.Gone", "jaxlib._hlo.HloModule.gone"]
    monkeypatch.setattr(jaxlib_private, "NAMES", (*jaxlib_private.NAMES, *gone))
    # WHEN names are looked up THEN these are listed, and no other
    assert jaxlib_private.missing_names() == gone


def test_without_jaxlib(monkeypatch):
    # GIVEN a Python without jaxlib WHEN it is needed THEN one line says what to install
    monkeypatch.setitem(sys.modules, "jaxlib._hlo", None)
    with pytest.raises(MissingFrameworkError) as caught:
        jaxlib_private.full_text_of_proto(b"")
    assert str(caught.value) == "jaxlib is not installed: pip install 'beatnote[jax]'"
