"""Running something and writing down what happened: its programs, its times and where it ran.

May import: `hlo`, `models`, `runs` and `execute`. Frameworks are imported inside the functions that use them.
"""
