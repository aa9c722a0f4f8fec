"""A result in, text, SVG or HTML out."""
