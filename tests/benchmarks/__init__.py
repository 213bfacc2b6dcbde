"""Measurements: speed, memory and quality, each beside its bound or a peer in the same run."""
