"""From texts to scores and comparisons."""
