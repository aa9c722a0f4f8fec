"""One segment explained: what is out of order, in pictures and in words."""
