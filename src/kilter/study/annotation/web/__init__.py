"""The web pages of annotators and adjudicators."""
