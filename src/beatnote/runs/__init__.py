"""The Run: what is known of one recorded run, as frozen data.

May import: `hlo`.
"""
