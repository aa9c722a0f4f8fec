"""Sentences with their words moved, exchanged or replaced. Section 12, [TH] chapter 6"""
