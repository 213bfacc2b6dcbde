"""The care of the store: tidying, proofs of soundness, backups, its size, and the way out."""
