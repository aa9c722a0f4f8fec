"""What people said of translations."""
