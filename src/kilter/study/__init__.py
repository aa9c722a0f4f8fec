"""Everything that asks people: surveys, annotation of links, and their analyses."""
