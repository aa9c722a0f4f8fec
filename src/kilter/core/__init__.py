"""What the other rooms share: texts, permutations, links, trees, options, errors."""
