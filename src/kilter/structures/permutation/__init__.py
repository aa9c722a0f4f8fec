"""Permutations, their trees and forests."""
