"""Tables in every format."""
