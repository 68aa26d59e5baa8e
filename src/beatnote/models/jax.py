"""The reference models in JAX, as plain functions of arrays.

Each returns its loss; `build` makes the function of a model's pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from beatnote.models.inputs import check, differentiated

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax import Array


def build(model: str, which: str = "gradient") -> Callable[..., Any]:
    """Make the function of a model's pass, not yet jitted.

    Args:
        model: a key of `inputs.MODELS`.
        which: one of `inputs.PASSES`. The gradient of a model with one differentiated argument is an array,
            otherwise a tuple.

    Raises:
        UnknownModelError: there is no such model or pass.
    """
    check(model, which)
    loss = LOSSES[model]
    if which == "forward":
        return loss
    import jax

    first, *others = differentiated(model)
    return jax.grad(loss, argnums=(first, *others) if others else first)


def matvec(W: Array, x: Array, b: Array, y: Array) -> Array:
    """Squared error of an affine map: sum((W·x + b − y)²)."""
    import jax.numpy as jnp

    return jnp.sum((W @ x + b - y) ** 2)


def mlp(w1: Array, b1: Array, w2: Array, b2: Array, x: Array, labels: Array) -> Array:
    """Two layers, then the mean softmax cross-entropy of integer labels."""
    import jax
    import jax.numpy as jnp

    hidden = jax.nn.relu(x @ w1 + b1)
    log_probabilities = jax.nn.log_softmax(hidden @ w2 + b2)
    return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[:, None], axis=-1))


def layernorm(scale: Array, bias: Array, x: Array, target: Array) -> Array:
    """Layer normalisation over the last axis, then the mean squared error."""
    import jax
    import jax.numpy as jnp

    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    normalised = (x - mean) * jax.lax.rsqrt(variance + 1e-5)
    return jnp.mean((normalised * scale + bias - target) ** 2)


def attention(w_query: Array, w_key: Array, w_value: Array, w_output: Array, x: Array, target: Array) -> Array:
    """Multi-head self-attention of (batch, token, feature), then the mean squared error."""
    import jax
    import jax.numpy as jnp

    query = jnp.einsum("btd,dhk->bthk", x, w_query)
    key = jnp.einsum("btd,dhk->bthk", x, w_key)
    value = jnp.einsum("btd,dhk->bthk", x, w_value)
    scores = jnp.einsum("bqhk,bthk->bhqt", query, key) / query.shape[-1] ** 0.5
    mixed = jnp.einsum("bhqt,bthk->bqhk", jax.nn.softmax(scores), value)
    output = jnp.einsum("bqhk,hkd->bqd", mixed, w_output)
    return jnp.mean((output - target) ** 2)


LOSSES: dict[str, Callable[..., Any]] = {
    "matvec": matvec,
    "mlp": mlp,
    "layernorm": layernorm,
    "attention": attention,
}
