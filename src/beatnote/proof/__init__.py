"""Are two programs the same? From instructions to a normal form, a verdict, and what is left where it stops.

May import: hlo. Knows no framework.
"""
