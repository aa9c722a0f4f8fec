// Scores, trees and readers of permutations.
#include "bindings/arrays.hpp"

#include <algorithm>

#include "kendall.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"

namespace kilter {
namespace {

auto score(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets, double beta,
           double gamma, bool right_branching, double empty, int jobs) {
    const Batch batch = as_batch(values, offsets);
    const auto rows = static_cast<std::size_t>(batch.segments);
    Output<double> scores(rows * kColumns);
    Output<std::int32_t> counts(rows * kCountColumns);
    Output<std::uint64_t> trees(rows);
    {
        nb::gil_scoped_release release;
        score_batch(batch, {beta, gamma, right_branching, empty}, jobs, scores.data(),
                    counts.data(), trees.data());
    }
    return std::make_tuple(std::move(scores).to_array({rows, std::size_t{kColumns}}),
                           std::move(counts).to_array({rows, std::size_t{kCountColumns}}),
                           std::move(trees).to_array({rows}));
}

auto score_trees(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets, double beta,
                 double gamma, bool right_branching, double empty, int jobs) {
    const Batch batch = as_batch(values, offsets);
    const auto rows = static_cast<std::size_t>(batch.segments);
    Output<double> scores(rows * 2);
    {
        nb::gil_scoped_release release;
        score_batch_trees(batch, {beta, gamma, right_branching, empty}, jobs, scores.data());
    }
    return std::move(scores).to_array({rows, std::size_t{2}});
}

auto score_kendall_operators(const Vector<std::int32_t>& values,
                             const Vector<std::int64_t>& offsets, double beta, bool right_branching,
                             double empty, int jobs) {
    const Batch batch = as_batch(values, offsets);
    const auto rows = static_cast<std::size_t>(batch.segments);
    Output<double> scores(rows * 2);
    {
        nb::gil_scoped_release release;
        score_batch_kendall_operators(batch, {beta, 0.0, right_branching, empty}, jobs,
                                      scores.data());
    }
    return std::move(scores).to_array({rows, std::size_t{2}});
}

auto score_kendall(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets,
                   double empty, int jobs) {
    const Batch batch = as_batch(values, offsets);
    const auto rows = static_cast<std::size_t>(batch.segments);
    Output<double> scores(rows);
    {
        nb::gil_scoped_release release;
        score_batch_kendall(batch, empty, jobs, scores.data());
    }
    return std::move(scores).to_array({rows});
}

auto score_beer(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets,
                double beta, double empty, int jobs) {
    const Batch batch = as_batch(values, offsets);
    const auto rows = static_cast<std::size_t>(batch.segments);
    Output<double> scores(rows);
    {
        nb::gil_scoped_release release;
        score_batch_beer(batch, beta, empty, jobs, scores.data());
    }
    return std::move(scores).to_array({rows});
}

auto score_two(const Vector<std::int32_t>& first, const Vector<std::int64_t>& first_offsets,
               const Vector<std::int32_t>& second, const Vector<std::int64_t>& second_offsets,
               double empty, int jobs) {
    const Batch one = as_batch(first, first_offsets);
    const Batch other = as_batch(second, second_offsets);
    if (first_offsets.size() != second_offsets.size() ||
        !std::equal(one.offsets, one.offsets + one.segments + 1, other.offsets)) {
        throw nb::value_error("both sides hold permutations of the same lengths");
    }
    const auto rows = static_cast<std::size_t>(one.segments);
    Output<double> scores(rows * kPairColumns);
    {
        nb::gil_scoped_release release;
        score_pairs(one, other, empty, jobs, scores.data());
    }
    return std::move(scores).to_array({rows, std::size_t{kPairColumns}});
}

auto fault(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets) {
    const Batch batch = as_batch(values, offsets);
    nb::gil_scoped_release release;
    const Fault found = find_fault(batch);
    return std::make_tuple(found.segment, found.position, found.earlier);
}

auto tree(const Vector<std::int32_t>& values) {
    PermutationTree result;
    {
        nb::gil_scoped_release release;
        TreeBuilder().build(values.data(), static_cast<std::int32_t>(values.size()), result);
    }
    return std::make_tuple(to_array(std::move(result.kind)), to_array(std::move(result.start)),
                           to_array(std::move(result.end)), to_array(std::move(result.low)),
                           to_array(std::move(result.children)), to_array(std::move(result.parent)),
                           to_array(std::move(result.next)));
}

auto widths(const Vector<std::int32_t>& values) {
    nb::gil_scoped_release release;
    auto result = linear_widths(values.data(), static_cast<std::int32_t>(values.size()));
    nb::gil_scoped_acquire acquire;
    return to_array(std::move(result));
}

double log_trees(const Vector<std::int32_t>& values) {
    nb::gil_scoped_release release;
    return log_tree_count(values.data(), static_cast<std::int32_t>(values.size()));
}

// Rebuilds the tree rather than trusting seven arrays from outside.
auto score_with_operators(const Vector<std::int32_t>& values, const Vector<double>& operator_scores,
                          double beta, bool right_branching) {
    PermutationTree built;
    TreeBuilder().build(values.data(), static_cast<std::int32_t>(values.size()), built);
    if (built.kind.size() != operator_scores.size()) {
        throw nb::value_error("one operator score per node of the tree");
    }
    TreeScorer scorer(beta, right_branching);
    const TreeScores result = scorer.score(built, operator_scores.data());
    return std::make_tuple(result.pef, result.pet);
}

auto take(PermutationReader& reader) {
    auto result = std::make_tuple(to_array(std::move(reader.values)),
                                  to_array(std::move(reader.offsets)),
                                  to_array(std::move(reader.lines)));
    reader.clear();
    return result;
}

nb::list problems(const PermutationReader& reader) {
    nb::list result;
    for (std::size_t i = 0; i < reader.complete_problems(); ++i) {
        const LineProblem& p = reader.problems[i];
        result.append(nb::make_tuple(p.line, static_cast<int>(p.problem), p.position, p.value, p.other));
    }
    return result;
}

}  // namespace

void add_permutations(nb::module_& module) {
    module.def("score", &score, "values"_a, "offsets"_a, "beta"_a, "gamma"_a, "right_branching"_a,
               "empty"_a, "jobs"_a);
    module.def("score_trees", &score_trees, "values"_a, "offsets"_a, "beta"_a, "gamma"_a,
               "right_branching"_a, "empty"_a, "jobs"_a);
    module.def("score_kendall_operators", &score_kendall_operators, "values"_a, "offsets"_a,
               "beta"_a, "right_branching"_a, "empty"_a, "jobs"_a);
    module.def("score_kendall", &score_kendall, "values"_a, "offsets"_a, "empty"_a, "jobs"_a);
    module.def("score_beer", &score_beer, "values"_a, "offsets"_a, "beta"_a, "empty"_a, "jobs"_a);
    module.def("score_pairs", &score_two, "first"_a, "first_offsets"_a, "second"_a,
               "second_offsets"_a, "empty"_a, "jobs"_a);
    module.def("find_fault", &fault, "values"_a, "offsets"_a);
    module.def("tree", &tree, "values"_a);
    module.def("linear_widths", &widths, "values"_a);
    module.def("log_tree_count", &log_trees, "values"_a);
    module.def("score_with_operators", &score_with_operators, "values"_a, "operator_scores"_a,
               "beta"_a, "right_branching"_a);
    nb::class_<PermutationReader>(module, "PermutationReader")
        .def(nb::init<bool, bool>(), "pairs"_a, "zero_based"_a)
        .def("feed",
             [](PermutationReader& reader, nb::bytes data) {
                 const auto* bytes = static_cast<const unsigned char*>(data.data());
                 const std::size_t size = data.size();
                 nb::gil_scoped_release release;
                 reader.feed(bytes, size);
             },
             "data"_a)
        .def("finish", [](PermutationReader& reader) { reader.finish(); })
        .def("problems", &problems)
        .def("take", &take)
        .def_prop_ro("lines_read", [](const PermutationReader& r) { return r.lines_read(); });
}

}  // namespace kilter
