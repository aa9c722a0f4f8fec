"""What is behind scores: order errors, explanations, reports."""
