"""What commands do, as plain functions."""
