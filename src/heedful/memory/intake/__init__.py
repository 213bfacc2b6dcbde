"""The one door into the memory, and what an edit or a departure at the source does to what is there.

Used outside the memory: `departures`.
"""
