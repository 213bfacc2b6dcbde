"""The memory as files that outlive the program: a vault of notes, and messages to read in again.

Used outside the memory: `folder`, `vault`.
"""
