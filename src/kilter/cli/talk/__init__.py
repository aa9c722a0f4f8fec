"""What is said on standard error, and to whom."""
