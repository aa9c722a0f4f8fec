"""What commands do, in Python: score, compare, explain, meta, tune, align, parse."""
