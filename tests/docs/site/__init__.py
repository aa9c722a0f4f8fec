"""The documentation site: pages as they are, what is generated from the code, and how they are found."""
