"""The table of arguments and the values drawn for them."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from beatnote.models import jax as jax_models
from beatnote.models import tensorflow as tensorflow_models
from beatnote.models.inputs import MODELS, UnknownModelError, arguments_of, check, differentiated, example


@pytest.mark.parametrize("model", MODELS)
def test_example_follows_the_table(model):
    # GIVEN a model of the table
    arguments = arguments_of(model)
    # WHEN values are drawn twice, and once with another seed
    first, again, other = example(model), example(model), example(model, seed=1)
    # THEN they have the table's shapes and types, and depend on the seed alone
    assert [(v.shape, v.dtype.name) for v in first] == [(a.shape, a.dtype) for a in arguments]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_labels_are_classes():
    # GIVEN the one argument that holds labels
    labels = arguments_of("mlp")[-1]
    # WHEN many are drawn
    drawn = np.concatenate([example("mlp", seed)[-1] for seed in range(30)])
    # THEN every class occurs and nothing else
    assert set(drawn) == set(range(labels.classes))


@pytest.mark.parametrize("framework", [jax_models, tensorflow_models])
def test_every_framework_has_every_model_with_the_table_s_arguments(framework):
    # GIVEN the functions of one framework WHEN their signatures are read THEN they are the table's
    signatures = {name: list(inspect.signature(loss).parameters) for name, loss in framework.LOSSES.items()}
    assert signatures == {name: [a.name for a in arguments] for name, arguments in MODELS.items()}


def test_differentiated_positions():
    assert {model: differentiated(model) for model in MODELS} == {
        "matvec": (0,),
        "mlp": (0, 1, 2, 3),
        "layernorm": (0, 1, 2),
        "attention": (0, 1, 2, 3),
    }


@pytest.mark.parametrize(
    ("model", "which", "message"),
    [
        ("resnet51", "forward", "no reference model 'resnet51'; there are matvec, mlp, layernorm, attention"),
        ("mlp", "backward", "no pass 'backward' of mlp; there are forward, gradient"),
    ],
)
@pytest.mark.parametrize("lookup", [check, jax_models.build, tensorflow_models.build])
def test_unknown_names_list_the_known_ones(lookup, model, which, message):
    # GIVEN a name that is not there WHEN it is looked up THEN the error lists those that are
    with pytest.raises(UnknownModelError) as caught:
        lookup(model, which)
    assert str(caught.value) == message
