"""What functions return: scores, comparisons, explanations, agreement."""
