"""Finding what fits a question: candidates by words, meaning, days and summaries, and one ranking of them all.

Used outside the memory: `context`.
"""
