"""What the window and the tray show, without Qt: plain values and the classes that keep them true.

A presenter loads from the services, listens to the bus until it is closed, changes what it shows at once when
the person decides something, and takes that back with a toast when the decision could not be kept. Views only
draw these values and call these methods; nothing here knows a toolkit.
"""
