"""Exact finding, and what it shares with `recall`: what a question says, what narrows it, and a hit.

Used outside the memory: `agenda`, `browsing`, `hits`, `question`.
"""
