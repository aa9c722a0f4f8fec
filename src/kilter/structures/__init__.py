"""The things that metrics are computed on."""
