"""The web survey: pages for participants and researchers."""
