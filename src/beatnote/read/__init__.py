"""What others wrote: one file a format.

May import: hlo, runs. Knows no framework.
"""
