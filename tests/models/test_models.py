"""The models against NumPy, in every framework: losses by formula, gradients by finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.models import jax as jax_models
from beatnote.models import tensorflow as tensorflow_models
from beatnote.models.inputs import MODELS, differentiated, example


def softmax(x):
    shifted = np.exp(x - x.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def matvec(W, x, b, y):
    return ((W @ x + b - y) ** 2).sum()


def mlp(w1, b1, w2, b2, x, labels):
    logits = np.maximum(x @ w1 + b1, 0) @ w2 + b2
    return -np.log(softmax(logits)[np.arange(len(labels)), labels]).mean()


def layernorm(scale, bias, x, target):
    normalised = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    return ((normalised * scale + bias - target) ** 2).mean()


def attention(w_query, w_key, w_value, w_output, x, target):
    query, key, value = (np.einsum("btd,dhk->bhtk", x, w) for w in (w_query, w_key, w_value))
    mixed = softmax(query @ key.swapaxes(-1, -2) / 4) @ value
    return ((np.einsum("bhqk,hkd->bqd", mixed, w_output) - target) ** 2).mean()


NUMPY = {"matvec": matvec, "mlp": mlp, "layernorm": layernorm, "attention": attention}


def in_jax(model, which, arguments):
    import jax

    return [np.asarray(v) for v in jax.tree.leaves(jax.jit(jax_models.build(model, which))(*arguments))]


def in_tensorflow(model, which, arguments):
    from beatnote.record.tensorflow import import_tensorflow

    tf = import_tensorflow()
    compiled = tf.function(tensorflow_models.build(model, which), jit_compile=True)
    return [v.numpy() for v in tf.nest.flatten(compiled(*map(tf.constant, arguments)))]


@pytest.fixture(params=[in_jax, in_tensorflow], ids=["jax", "tensorflow"])
def run(request):
    return request.param


def doubled(arguments):
    return [a.astype(np.float64) if a.dtype == np.float32 else a for a in arguments]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", [0, 1])
def test_forward_is_the_formula(run, model, seed):
    # GIVEN a model's example arguments
    arguments = example(model, seed)
    # WHEN the framework computes the loss
    (loss,) = run(model, "forward", arguments)
    # THEN it is NumPy's in double precision, to single precision
    np.testing.assert_allclose(loss, NUMPY[model](*doubled(arguments)), rtol=1e-5)


@pytest.mark.parametrize("model", MODELS)
def test_gradient_is_the_slope_of_the_formula(run, model):
    # GIVEN a model's example arguments, and for each differentiated one a random direction
    arguments = doubled(example(model))
    random = np.random.default_rng(5)
    slopes = []
    for position in differentiated(model):
        direction = random.standard_normal(arguments[position].shape)
        ahead, behind = list(arguments), list(arguments)
        ahead[position] = arguments[position] + 1e-6 * direction
        behind[position] = arguments[position] - 1e-6 * direction
        slopes.append((direction, (NUMPY[model](*ahead) - NUMPY[model](*behind)) / 2e-6))
    # WHEN the framework computes the gradient
    gradients = run(model, "gradient", example(model))
    # THEN along each direction it is the central difference of NumPy's loss
    assert [g.shape for g in gradients] == [direction.shape for direction, _ in slopes]
    for gradient, (direction, slope) in zip(gradients, slopes, strict=True):
        np.testing.assert_allclose((gradient * direction).sum(), slope, rtol=2e-3, atol=1e-6)
