"""Studies, and the questionnaires drawn for them."""
