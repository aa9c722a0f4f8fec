"""Word links and the orders they imply."""
