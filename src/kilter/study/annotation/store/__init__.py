"""The database of a project: people, their links and translations, sessions."""
