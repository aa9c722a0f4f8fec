"""Files of error spans, of every tool that has them."""
