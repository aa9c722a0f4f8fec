// Maximum spanning arborescence: the best dependency tree of a table of arc scores [Chu and Liu 1965, Edmonds 1967].
#pragma once

#include <cstdint>

namespace kilter {

// scores[(d - 1) * (words + 1) + h] is the score of word d hanging from h; words count from 1, and 0 is
// the root. Writes the heads of the tree with the greatest sum in which one word alone hangs from the
// root, zero-based and -1 for the root. Scores may be infinite: such a tree has as many arcs of score
// +inf, less those of -inf, as any. The diagonal is not looked at. NaN is not allowed. Which of equally
// good trees is found depends on the scores alone. Time and memory are quadratic.
void spanning_tree(const double* scores, std::int32_t words, std::int32_t* heads);

}  // namespace kilter
