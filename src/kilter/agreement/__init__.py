"""How well scores agree with people: measures of agreement, tests between metrics, tuning."""
