"""The memory tree: which passages are worth a summary, how they hang together, and the summaries themselves.

Used outside the memory: `admission`, `admission_store`, `overview`, `tree_store`.
"""
