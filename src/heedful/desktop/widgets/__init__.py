"""The pieces that tabs are made of. Each paints itself from the theme's tokens; none knows a service."""
