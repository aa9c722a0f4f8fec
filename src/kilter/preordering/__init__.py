"""Pre-ordering: rules that move the words of a dependency tree. [FRS]"""
