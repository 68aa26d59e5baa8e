"""Reference models: the same functions written in each framework, with one set of example arguments.

May import: nothing of Beatnote. `record` alone imports this room.
"""
