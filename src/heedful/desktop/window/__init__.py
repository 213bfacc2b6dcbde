"""The Intelligence window: its frame, and one file a tab that offers `TAB`."""
