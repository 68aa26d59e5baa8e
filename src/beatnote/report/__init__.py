"""What people look at: terminal and HTML, from finished comparisons.

May import: every room but cli.
"""
