// Scores, trees and readers of permutations.
#include "bindings/checked.hpp"
#include "bindings/guarded.hpp"

#include <algorithm>

#include "block_move.hpp"
#include "kendall.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"
#include "permutation_window.hpp"
#include "score_batch.hpp"

namespace kilter {
namespace {

ScoreOptions as_options(double beta, double gamma, bool right_branching, double empty) {
    return {in_range(beta, 0.0, 1.0, "beta"), in_range(gamma, 0.0, 1.0, "gamma"), right_branching,
            in_range(empty, -1e308, 1e308, "empty")};
}

auto score(const Ints& values, const Longs& offsets, double beta, double gamma, bool right_branching, double empty,
           Int jobs) {
    auto [rows, scores, counts, trees] = unlocked([&] {
        const ScoreOptions options = as_options(beta, gamma, right_branching, empty);
        const Permutations batch(values, offsets, "offsets");
        const std::size_t size = batch.rows();
        Output<double> found(size * kColumns);
        Output<std::int32_t> counted(size * kCountColumns);
        Output<std::uint64_t> exact(size);
        score_batch(batch.batch(), options, jobs, found.data(), counted.data(), exact.data());
        return std::make_tuple(size, std::move(found), std::move(counted), std::move(exact));
    });
    return std::make_tuple(std::move(scores).to_array({std::size_t{kColumns}, rows}),
                           std::move(counts).to_array({std::size_t{kCountColumns}, rows}),
                           std::move(trees).to_array({rows}));
}

// Runs a kernel that fills `columns` scores of each permutation.
template <class Kernel>
auto score_rows(const Ints& values, const Longs& offsets, std::size_t columns, Kernel kernel) {
    return unlocked([&] {
        const Permutations batch(values, offsets, "offsets");
        Output<double> scores(batch.rows() * columns);
        kernel(batch.batch(), scores.data());
        return std::make_pair(batch.rows(), std::move(scores));
    });
}

auto score_trees(const Ints& values, const Longs& offsets, double beta, double gamma, bool right_branching,
                 double empty, Int jobs) {
    const ScoreOptions options = as_options(beta, gamma, right_branching, empty);
    auto [rows, scores] = score_rows(
        values, offsets, 2, [&](const Batch& batch, double* out) { score_batch_trees(batch, options, jobs, out); });
    return std::move(scores).to_array({rows, std::size_t{2}});
}

auto score_flat_operators(const Ints& values, const Longs& offsets, Column measure, double beta, bool right_branching,
                          double empty, Int jobs) {
    const ScoreOptions options = as_options(beta, 0.0, right_branching, empty);
    auto [rows, scores] = score_rows(values, offsets, 2, [&](const Batch& batch, double* out) {
        score_batch_operators(batch, options, measure, jobs, out);
    });
    return std::move(scores).to_array({rows, std::size_t{2}});
}

auto score_kendall(const Ints& values, const Longs& offsets, double empty, Int jobs) {
    in_range(empty, -1e308, 1e308, "empty");
    auto [rows, scores] = score_rows(
        values, offsets, 1, [&](const Batch& batch, double* out) { score_batch_kendall(batch, empty, jobs, out); });
    return std::move(scores).to_array({rows});
}

auto score_beer(const Ints& values, const Longs& offsets, double beta, double empty, Int jobs) {
    if (!(beta > 0.0 && beta <= 1.0)) {
        refuse("beta is " + std::to_string(beta) + "; it lies above 0 and is at most 1");
    }
    in_range(empty, -1e308, 1e308, "empty");
    auto [rows, scores] = score_rows(
        values, offsets, 1, [&](const Batch& batch, double* out) { score_batch_beer(batch, beta, empty, jobs, out); });
    return std::move(scores).to_array({rows});
}

auto score_two(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
               double empty, Int jobs) {
    in_range(empty, -1e308, 1e308, "empty");
    auto [rows, scores] = unlocked([&] {
        const Permutations one(first, first_offsets, "first_offsets");
        const Permutations other(second, second_offsets, "second_offsets");
        const std::int64_t* borders = one.batch().offsets;
        if (one.rows() != other.rows() || !std::equal(borders, borders + one.rows() + 1, other.batch().offsets)) {
            refuse("both sides hold permutations of the same lengths");
        }
        Output<double> found(one.rows() * kPairColumns);
        score_pairs(one.batch(), other.batch(), empty, jobs, found.data());
        return std::make_pair(one.rows(), std::move(found));
    });
    return std::move(scores).to_array({rows, std::size_t{kPairColumns}});
}

auto block_moves(const Ints& values, const Longs& offsets, Long effort, Int jobs) {
    BlockMoves found = unlocked([&] {
        if (effort < 0) {
            refuse("effort is " + std::to_string(effort) + "; it is at least 0");
        }
        const Permutations batch(values, offsets, "offsets");
        return find_block_moves(batch.batch(), effort, jobs);
    });
    return std::make_tuple(to_array(std::move(found.moves), 3), to_array(std::move(found.offsets)),
                           to_array(std::move(found.lower)));
}

auto fault(const Ints& values, const Longs& offsets) {
    // Looks and touches nothing else: an array that changes meanwhile changes the answer alone.
    const Fault found = unlocked([&] { return find_fault(Permutations(values, offsets, "offsets").batch()); });
    return std::make_tuple(found.segment, found.position, found.earlier);
}

// One permutation, copied and checked.
class OnePermutation {
public:
    explicit OnePermutation(const Ints& values) : borders_(values.size()) {
        if (borders_.length(0) > kMostWords) {
            refuse("a permutation has at most 1073741824 values");
        }
        window_.load({values.data(), borders_.data(), 1}, 0, 1);
    }
    const std::int32_t* data() const { return window_.batch().values; }
    std::int32_t size() const { return static_cast<std::int32_t>(borders_.length(0)); }

private:
    Offsets borders_;
    PermutationWindow window_;
};

auto tree(const Ints& values) {
    PermutationTree result = unlocked([&] {
        const OnePermutation permutation(values);
        PermutationTree built;
        TreeBuilder().build(permutation.data(), permutation.size(), built);
        return built;
    });
    return std::make_tuple(to_array(std::move(result.kind)), to_array(std::move(result.start)),
                           to_array(std::move(result.end)), to_array(std::move(result.low)),
                           to_array(std::move(result.children)), to_array(std::move(result.parent)),
                           to_array(std::move(result.next)));
}

auto widths(const Ints& values) {
    return to_array(unlocked([&] {
        const OnePermutation permutation(values);
        return linear_widths(permutation.data(), permutation.size());
    }));
}

double log_trees(const Ints& values) {
    return unlocked([&] {
        const OnePermutation permutation(values);
        return log_tree_count(permutation.data(), permutation.size());
    });
}

// Rebuilds the tree rather than trusting seven arrays from outside.
auto score_with_operators(const Ints& values, const Floats& operator_scores, double beta, bool right_branching) {
    in_range(beta, 0.0, 1.0, "beta");
    const TreeScores result = unlocked([&] {
        const OnePermutation permutation(values);
        PermutationTree built;
        TreeBuilder().build(permutation.data(), permutation.size(), built);
        if (built.kind.size() != operator_scores.size()) {
            refuse("there are " + std::to_string(operator_scores.size()) + " operator scores for " +
                   std::to_string(built.kind.size()) + " nodes");
        }
        const Copy<double> scores(operator_scores);
        scores.check_finite("operator_scores", 0.0, 1.0);
        return TreeScorer(beta, right_branching).score(built, scores.data());
    });
    return std::make_tuple(result.pef, result.pet);
}

class Reader {
public:
    Reader(bool pairs, bool zero_based) : reader_(pairs, zero_based) {}

    void feed(const nb::bytes& data) {
        const auto* bytes = static_cast<const unsigned char*>(data.data());
        const std::size_t size = data.size();
        reader_.use([&](PermutationReader& reader) {
            constexpr std::size_t piece = std::size_t{1} << 20;
            for (std::size_t at = 0; at < size; at += piece) {
                check_stop();
                reader.feed(bytes + at, std::min(piece, size - at));
            }
            return true;
        });
    }
    void finish() {
        reader_.use([](PermutationReader& reader) {
            reader.finish();
            return true;
        });
    }
    using Problem = std::tuple<std::int64_t, int, std::int64_t, std::int64_t, std::int64_t>;
    std::vector<Problem> problems() {
        return reader_.use([](PermutationReader& reader) {
            const auto begin = reader.problems.begin();
            std::vector<Problem> problems;
            std::transform(begin, begin + static_cast<std::ptrdiff_t>(reader.complete_problems()),
                           std::back_inserter(problems), [](const LineProblem& p) {
                               return Problem(p.line, static_cast<int>(p.problem), p.position, p.value, p.other);
                           });
            return problems;
        });
    }
    auto take() {
        auto [values, offsets, lines] = reader_.use([](PermutationReader& reader) {
            auto result = std::make_tuple(std::move(reader.values), std::move(reader.offsets), std::move(reader.lines));
            reader.clear();
            return result;
        });
        return std::make_tuple(to_array(std::move(values)), to_array(std::move(offsets)), to_array(std::move(lines)));
    }
    std::int64_t lines_read() {
        return reader_.use([](PermutationReader& reader) { return reader.lines_read(); });
    }

private:
    Guarded<PermutationReader> reader_;
};

}  // namespace

void add_permutations(nb::module_& module) {
    nb::enum_<Column>(module, "FlatMeasure", "A flat score that an operator can have.")
        .value("KENDALL", kKendall)
        .value("KENDALL_SQRT", kKendallSqrt)
        .value("SPEARMAN", kSpearman)
        .value("HAMMING", kHamming)
        .value("ULAM", kUlam)
        .value("FUZZY", kFuzzy);
    module.def("score", &score, "values"_a, "offsets"_a, "beta"_a, "gamma"_a, "right_branching"_a, "empty"_a, "jobs"_a,
               "Return scores (11 columns), counts (4 columns) and numbers of trees of permutations.");
    module.def("score_trees", &score_trees, "values"_a, "offsets"_a, "beta"_a, "gamma"_a, "right_branching"_a,
               "empty"_a, "jobs"_a, "Return PEFscore and PETscore of permutations, one column each.");
    module.def("score_flat_operators", &score_flat_operators, "values"_a, "offsets"_a, "measure"_a.noconvert(),
               "beta"_a, "right_branching"_a, "empty"_a, "jobs"_a,
               "Return PEFscore and PETscore with a flat score of each operator, by its column.");
    module.def("score_kendall", &score_kendall, "values"_a, "offsets"_a, "empty"_a, "jobs"_a,
               "Return the Kendall score of each permutation.");
    module.def("score_beer", &score_beer, "values"_a, "offsets"_a, "beta"_a, "empty"_a, "jobs"_a,
               "Return the forest score of BEER 1.1 of each permutation.");
    module.def("score_pairs", &score_two, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "empty"_a,
               "jobs"_a, "Return Kendall, Hamming, Spearman and footrule similarity of pairs of permutations.");
    module.def("block_moves", &block_moves, "values"_a, "offsets"_a, "effort"_a, "jobs"_a,
               "Return block moves that sort permutations (start, middle, end), where each permutation's "
               "begin, and the least number that is proved.");
    module.def("find_fault", &fault, "values"_a, "offsets"_a,
               "Return segment, index and earlier index of the first value that is out of place, or "
               "(-1, 0, -1).");
    module.def("tree", &tree, "values"_a,
               "Return the permutation tree in preorder: kind, start, end, low, children, parent, next.");
    module.def("linear_widths", &widths, "values"_a,
               "Return the numbers of children of the linear nodes that have three or more.");
    module.def("log_tree_count", &log_trees, "values"_a,
               "Return the natural logarithm of the number of binary trees of a permutation.");
    module.def("score_with_operators", &score_with_operators, "values"_a, "operator_scores"_a, "beta"_a,
               "right_branching"_a, "Return PEFscore and PETscore with a score from 0 to 1 for each node of the tree.");
    nb::class_<Reader>(module, "PermutationReader",
                       "Reads permutations, one or two a line, from pieces of bytes cut anywhere.")
        .def(nb::init<bool, bool>(), "pairs"_a, "zero_based"_a)
        .def("feed", &Reader::feed, "data"_a, "Read the next piece.")
        .def("finish", &Reader::finish, "End the last line, which may lack its line end.")
        .def("problems", &Reader::problems,
             "Return line, kind, position, value and other value of what could not be read.")
        .def("take", &Reader::take, "Return values, offsets and line numbers of what was read since the last call.")
        .def_prop_ro("lines_read", &Reader::lines_read, "The number of lines that have ended.");
}

}  // namespace kilter
