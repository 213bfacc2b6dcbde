"""The rows of memory work that outlives the process, and the way to ask for it; who does it is `work`.

Used outside the memory: `asking`, `queue_store`.
"""
