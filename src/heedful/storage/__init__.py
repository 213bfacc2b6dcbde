"""The encrypted file: one SQLite database, one writer thread, a few readers, numbered migrations.

From outside: open a `Store` with a `Key` from `unlock`, hand it functions that take a `Connection`. The SQL of
a thing lives beside that thing (`*_store.py` in its room), never here. This is the only room that knows apsw.
"""

from heedful.storage.connection import Connection, Row, Value
from heedful.storage.keys import Key, KeyKind, choose_passphrase, choose_unencrypted, create_key, unlock
from heedful.storage.store import Store

__all__ = [
    "Connection",
    "Key",
    "KeyKind",
    "Row",
    "Store",
    "Value",
    "choose_passphrase",
    "choose_unencrypted",
    "create_key",
    "unlock",
]
