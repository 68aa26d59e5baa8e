"""A program as data: module, computation, instruction, shape; reading and printing its text; what it costs.

May import: nothing of Beatnote. Knows no framework.
"""
