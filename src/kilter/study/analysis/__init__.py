"""Analyses of judgments that a survey has collected. Section 13"""
