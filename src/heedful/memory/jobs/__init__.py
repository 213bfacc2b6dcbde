"""Kinds of memory work, one file each, found by walking this folder: a file offers `JOB = JobKind(...)`.

A file here is imported whenever messages are taken in, so what costs time to import belongs inside its functions.
"""
