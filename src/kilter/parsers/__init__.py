"""Dependency parsers and the English encoder: words in, trees and vectors out."""
