"""The reference models in TensorFlow, as plain functions of tensors.

Each returns its loss; `build` makes the function of a model's pass. They are written as TensorFlow is, not as
a translation of the JAX ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from beatnote.models.inputs import check, differentiated

if TYPE_CHECKING:
    from collections.abc import Callable

    from tensorflow import Tensor


def build(model: str, which: str = "gradient") -> Callable[..., Any]:
    """Make the function of a model's pass, not yet wrapped in tf.function.

    Args:
        model: a key of `inputs.MODELS`.
        which: one of `inputs.PASSES`. The gradient of a model with one differentiated argument is a tensor,
            otherwise a list.

    Raises:
        UnknownModelError: there is no such model or pass.
    """
    check(model, which)
    loss = LOSSES[model]
    if which == "forward":
        return loss
    import tensorflow as tf

    positions = differentiated(model)

    def gradient(*arguments: Tensor) -> Any:
        first, *others = (arguments[i] for i in positions)
        sources = [first, *others] if others else first
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            value = loss(*arguments)
        return tape.gradient(value, sources)

    return gradient


def matvec(W: Tensor, x: Tensor, b: Tensor, y: Tensor) -> Tensor:
    """Squared error of an affine map: sum((W·x + b − y)²)."""
    import tensorflow as tf

    return tf.reduce_sum((tf.linalg.matvec(W, x) + b - y) ** 2)


def mlp(w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, x: Tensor, labels: Tensor) -> Tensor:
    """Two layers, then the mean softmax cross-entropy of integer labels."""
    import tensorflow as tf

    hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
    logits = tf.matmul(hidden, w2) + b2
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def layernorm(scale: Tensor, bias: Tensor, x: Tensor, target: Tensor) -> Tensor:
    """Layer normalisation over the last axis, then the mean squared error."""
    import tensorflow as tf

    mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
    output = tf.nn.batch_normalization(x, mean, variance, offset=bias, scale=scale, variance_epsilon=1e-5)
    return tf.reduce_mean(tf.math.squared_difference(output, target))


def attention(w_query: Tensor, w_key: Tensor, w_value: Tensor, w_output: Tensor, x: Tensor, target: Tensor) -> Tensor:
    """Multi-head self-attention of (batch, token, feature), then the mean squared error."""
    import tensorflow as tf

    query = tf.einsum("btd,dhk->bthk", x, w_query)
    key = tf.einsum("btd,dhk->bthk", x, w_key)
    value = tf.einsum("btd,dhk->bthk", x, w_value)
    query = tf.multiply(query, 1.0 / query.shape[-1] ** 0.5)
    scores = tf.einsum("bqhk,bthk->bhqt", query, key)
    mixed = tf.einsum("bhqt,bthk->bqhk", tf.nn.softmax(scores), value)
    output = tf.einsum("bqhk,hkd->bqd", mixed, w_output)
    return tf.reduce_mean(tf.math.squared_difference(output, target))


LOSSES: dict[str, Callable[..., Any]] = {
    "matvec": matvec,
    "mlp": mlp,
    "layernorm": layernorm,
    "attention": attention,
}
