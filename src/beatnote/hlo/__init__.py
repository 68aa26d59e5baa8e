"""A program as data: module, computation, instruction, shape; reading and printing its text.

May import: nothing of Beatnote. Knows no framework.
"""
