"""The ground floor: what every room stands on and what knows no room.

Errors by remedy, events and their bus, time, ids, settings, paths, logs, task supervision, discovery and
the keyring port. Import from the module that names the thing (`from heedful.core.errors import ...`): this
package re-exports nothing, so that a command that needs only errors does not load settings.
"""
