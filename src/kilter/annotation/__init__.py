"""Word links that people make: projects, what annotators draw, its store and its web pages."""
