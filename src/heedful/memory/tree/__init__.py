"""The memory tree: which passages are worth a summary, how they hang together, and the summaries themselves."""
