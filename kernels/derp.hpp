// Paths between linked words in two trees, compared pair by pair along a spanning tree. [TH] chapter 5
#pragma once

#include <cstdint>
#include <vector>

#include "dependency_tree.hpp"
#include "link_rule.hpp"

namespace kilter {

// What is compared: paths with their labels, paths by their lengths, positions in flattened sentences,
// or those along the shortest paths of the second tree (then the first tree is not looked at).
enum class PathKind : std::int32_t { kLabels, kStructure, kFlat, kReference };

// The trees of one side with the label of each word.
struct LabelledTrees {
    TreeRows trees;
    const std::int32_t* labels;

    const std::int32_t* labels_of(std::int64_t tree) const { return labels + trees.offsets[tree]; }
};

// A row has the sums of L and of L_max over the spanning tree; -1 where the pair is beyond kMostPathPairs
// or kMostPathCells.
inline constexpr int kPathColumns = 2;

// Pairs of links of one segment, the square of their number.
inline constexpr std::int64_t kMostPathPairs = std::int64_t{1} << 27;
// Entries of all tables of one segment: minutes, where sentences take microseconds.
inline constexpr std::int64_t kMostPathCells = 100'000'000'000;

// Trees of hypotheses first, of references second; links (hypothesis, reference). Links in which words of
// both sides have several partners take the rule of two passes, except with kReference.
void path_disparities(const LabelledTrees& first, const LabelledTrees& second, const TreePairs& pairs,
                      const LinkRows& links, PathKind kind, int jobs, std::int64_t* rows);

// Positions along the shortest paths of the second trees alone.
void reference_disparities(const TreeRows& second, const std::int64_t* seconds,
                           const std::int64_t* segments, std::int64_t count, const LinkRows& links,
                           int jobs, std::int64_t* rows);

// The same of flattened sentences, for which the links say it all.
void flat_path_disparities(const LinkRows& links, int jobs, std::int64_t* rows);

// One edge of a spanning tree: two words of the second sentence, their partners in the first, L and
// L_max. Words that share their partner are joined at no cost.
struct PathEdge {
    std::int32_t word, other, partner, other_partner;
    std::int64_t cost, most;
};

// The edges in the order in which they are chosen: joins of shared partners, then cheapest pairs.
std::vector<PathEdge> path_edges(const LabelledTrees& first, const LabelledTrees& second,
                                 const LinkRows& links, PathKind kind);

}  // namespace kilter
