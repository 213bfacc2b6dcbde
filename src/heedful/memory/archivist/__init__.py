"""The care of the store: tidying, proofs of soundness, backups, its size, and the way out.

Used outside the memory: `backup`, `care`, `forget_all`, `housekeeping`, `report`.
"""
