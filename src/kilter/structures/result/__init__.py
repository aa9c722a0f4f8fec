"""What was measured, for reports to show."""
