"""Taking out of the memory what a person or a time limit lets go of, with everything that was made of it.

Used outside the memory: `at_once`, `forgetting`, `outlook`.
"""
