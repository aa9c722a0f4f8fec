"""The embedded English network, for whatever needs it: words in; tags, arcs, vectors out."""
