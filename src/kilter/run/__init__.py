"""What commands do, in Python."""
