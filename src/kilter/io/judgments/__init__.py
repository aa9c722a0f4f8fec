"""Human judgments, read from the formats that campaigns publish."""
