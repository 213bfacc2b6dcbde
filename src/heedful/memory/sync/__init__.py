"""Sources as a whole: adding, reading and watching them, and comparing what they hold with what is stored.

Used outside the memory: `calendar`, `one_reading`, `watched`.
"""
