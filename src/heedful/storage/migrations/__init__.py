"""Numbered SQL, one transaction each; a shipped file never changes."""
