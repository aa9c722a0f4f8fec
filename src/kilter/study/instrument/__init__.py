"""What is asked, in every language."""
