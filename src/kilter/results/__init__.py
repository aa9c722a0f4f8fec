"""What functions return."""
