"""Documentation is a test: what a page shows is what happens."""
