// Short permutations that are scored side by side. Each step goes through all of them before the next begins, in one
// loop over all runs or joins: where one permutation ends and the next begins is computed, so that nobody has to guess
// it. A wrong guess costs as much as the work of a run.
#pragma once

#include <cstdint>

#include "places.hpp"
#include "score_row.hpp"

namespace kilter {

struct ShortTables;

using Word = std::uint64_t;

// A permutation of a group: never empty.
struct ShortSegment {
    std::int32_t at;  // where its values begin among those of the group
    std::int32_t length;
    std::int32_t row;        // among all segments of the group
    std::int32_t first_run;  // among all runs of the group
    std::int32_t runs;
};

// Values of an interval of the permutation, in the place of the run with which it begins: first of a run, then of what
// is joined with it. A leaf counts nothing.
struct ShortNode {
    double pet;    // left-branching PETscore so far
    double pef;    // as if it did not grow any more
    double first;  // the first and the last child that is no leaf, where there are any: not in a run
    double last;
};

inline constexpr std::int32_t kTogether = 16;

// Segments of which some numbers stand side by side. They have about as many runs; the last one stands for all that are
// missing.
struct SegmentsTogether {
    std::int32_t count;
    std::int32_t longest, most_runs;
    ShortSegment segment[kTogether];
    // Of each run. Where there are fewer runs, higher ones follow that have no words.
    Places low[64];
    Places length[64];
};

// A run with which intervals end that begin with earlier runs of its segment. Runs are counted from the segment's first.
struct ShortJoins {
    Word firsts;  // those runs, which are joined with everything up to this one: the nearest first
    Word open;    // the nodes that are there before, this run's the last of them
    std::int32_t first_run;
    std::int32_t place;  // of the run, counted from 1
};

// Nodes of a segment that become one.
struct ShortJoin {
    Word joined;  // counted from the segment's first run
    std::uint32_t first_run;
    std::uint16_t below, newest;  // the first and the last of them
};

// What is known of a tree beside its scores.
struct TreeTally {
    double trees;
    std::uint64_t exact_trees;
    std::int32_t saved;  // what prime nodes have more children than two, together
    std::int32_t max_operator;
};

// As many permutations as fit into the second cache with all that is known of them: fewer would be nearer, but every
// loop ends more often then, and that costs more.
struct ShortGroup {
    static constexpr std::int64_t kWords = 3200;
    static constexpr std::int64_t kRows = 128;
    static constexpr std::int32_t kWaves = 63;
    // Read before the first and behind the last value, whatever stands there.
    static constexpr std::int64_t kBefore = 16;
    static constexpr std::int64_t kMargin = 80;

    double run_scores[3];  // of runs of leaves, by their kind

    std::int64_t rows;
    std::int32_t segments;  // rows that are not empty
    std::int32_t longest;   // of them
    std::int32_t words, runs;
    std::int32_t most_runs;  // of a segment
    std::int32_t joins;

    std::uint8_t values[kBefore + kWords + kMargin];
    ShortSegment segment[kRows];
    SegmentsTogether together[kRows / kTogether];
    // By run.
    std::uint16_t start[kWords + kMargin];  // the first value; one more is where the last run ends
    std::uint8_t edges[kWords + kMargin][2];  // the last value of the run before, and the first value
    std::uint8_t low[kWords + kMargin];
    Word values_before[kWords + 1];           // sums of powers of 2 over all values of earlier runs
    // By node, first of runs.
    std::uint8_t kind[kWords + kMargin];
    std::uint8_t children[kWords + kMargin];  // 1 for a leaf and for a prime node, which have one tree each
    Word inner[kWords + kMargin];             // the children of a linear node that are no leaves
    ShortNode node[kWords + kMargin];
    std::int32_t last_added[kWords];    // the last child that is no leaf, if it was added
    std::int32_t added_before[kWords];  // the one that was added to its parent before
    TreeTally tally[kWords];            // by a segment's first run
    ShortJoins joined[kWords];
    // By the number of nodes that are gone in a segment before its join: at most one join of each, none of which waits
    // for another. Those of two nodes stand behind the others. There is more room than they need, so that not all waves
    // compete for the same lines of the cache.
    ShortJoin waves[kWaves][2][kRows + 10];
    ShortJoin* wave_ends[kWaves][2];

    // By row.
    std::int32_t length[kRows];
    std::int32_t inversions[kRows], squares[kRows], fixed[kRows], rising[kRows], chunks[kRows];
    std::int32_t nodes[kRows], max_operator[kRows];
    double trees[kRows], most_trees[kRows], pef[kRows], pet[kRows];
    std::uint64_t exact_trees[kRows];
};

// Values as bytes; false if one of them is no number from 0 to 63.
[[nodiscard]] bool narrow_values(const std::int32_t* values, std::int64_t size, std::uint8_t* bytes);

// Finds the runs of each permutation, of values that are below 64. Returns false if one is no permutation.
[[nodiscard]] bool find_runs(ShortGroup& group);

// Finds what is to be joined.
void find_joins(ShortGroup& group);

// Counts inversions, words in their places and squares of how far words are from them, and finds the longest rising
// subsequences.
void count_order(ShortGroup& group);

// Evaluates the trees on the way from runs to roots; nothing of them is kept.
void join_nodes(ShortGroup& group, const ShortTables& tables, bool counts);

// Where a column of scores or counts continues the last one: `apart` numbers from it.
struct ScoreColumns {
    double* scores;
    std::int32_t* counts;
    std::uint64_t* trees;
    std::int64_t apart;

    ScoreColumns from(std::int64_t row) const { return {scores + row, counts + row, trees + row, apart}; }
};

// Makes scores of what was counted.
void write_columns(const ShortGroup& group, double empty, const ScoreColumns& columns);

}  // namespace kilter
