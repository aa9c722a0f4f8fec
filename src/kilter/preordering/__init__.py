"""Rules that move the words of a dependency tree, and perturbed sentences. [FRS]"""
