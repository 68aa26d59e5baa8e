"""Running a program that stands alone, without the framework that made it, under jaxlib.

May import: `hlo`. Needs JAX, imported inside the functions that use it.
"""
