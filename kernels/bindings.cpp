// The only file that knows Python: converts arrays, releases the interpreter lock, calls a kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"
#include "resample.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace kilter {
namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// Hands a vector's memory to numpy without a copy.
template <class Values>
auto to_array(Values&& values) {
    using T = typename Values::value_type;
    const std::size_t size = values.size();
    auto owned = std::make_unique<Values>(std::move(values));
    nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
    T* data = owned.release()->data();
    return Array<T>(data, {size}, owner);
}

// Memory that a kernel fills completely; left as it is until then.
template <class T>
class Output {
public:
    explicit Output(std::size_t size) : data_(std::make_unique_for_overwrite<T[]>(size)) {}
    T* data() { return data_.get(); }
    Array<T> to_array(std::initializer_list<std::size_t> shape) && {
        nb::capsule owner(data_.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return Array<T>(data_.release(), shape, owner);
    }

private:
    std::unique_ptr<T[]> data_;
};

Batch as_batch(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0) {
        throw nb::value_error("offsets hold at least one entry");
    }
    const Batch batch{values.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    if (batch.offsets[0] != 0 ||
        batch.offsets[batch.segments] != static_cast<std::int64_t>(values.size())) {
        throw nb::value_error("offsets start at 0 and end at the number of values");
    }
    return batch;
}

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
    for (const LineProblem& p : reader.problems) {
        result.append(nb::make_tuple(p.line, static_cast<int>(p.problem), p.position, p.value, p.other));
    }
    return result;
}

// Resampling.

using Statistics = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void check_sizes(std::int64_t segments, std::int64_t resamples) {
    if (segments < 0 || segments >= std::int64_t{1} << 31 || resamples < 0 ||
        resamples >= std::int64_t{1} << 31) {
        throw nb::value_error("segments and resamples lie between 0 and 2^31 - 1");
    }
}

Stream as_stream(std::uint32_t stream) {
    if (stream > static_cast<std::uint32_t>(Stream::kFlips)) {
        throw nb::value_error("the streams of random numbers are 0, 1 and 2");
    }
    return static_cast<Stream>(stream);
}

// Stream 0 draws segments with replacement, the others choose each segment with probability 1/2.
auto resampled(const Statistics& statistics, std::uint64_t seed, std::uint32_t stream,
               std::int64_t resamples, int jobs) {
    const StatisticsView view{statistics.data(), static_cast<std::int64_t>(statistics.shape(0)),
                              static_cast<std::int64_t>(statistics.shape(1)),
                              static_cast<std::int64_t>(statistics.shape(2))};
    check_sizes(view.segments, resamples);
    const Stream kind = as_stream(stream);
    const auto systems = static_cast<std::size_t>(view.systems);
    const auto columns = static_cast<std::size_t>(view.columns);
    Output<std::int64_t> sums(systems * static_cast<std::size_t>(resamples) * columns);
    Output<std::int64_t> totals(systems * columns);
    std::vector<std::int32_t> exponents;
    {
        nb::gil_scoped_release release;
        if (!std::all_of(view.values, view.values + statistics.size(),
                         [](double value) { return std::isfinite(value); })) {
            throw std::invalid_argument("statistics are finite numbers");
        }
        const FixedStatistics fixed(view);
        fixed.totals(totals.data());
        if (kind == Stream::kIndices) {
            fixed.bootstrap(seed, resamples, jobs, sums.data());
        } else {
            fixed.subsets(seed, kind, resamples, jobs, sums.data());
        }
        exponents = fixed.exponents();
    }
    return std::make_tuple(
        std::move(sums).to_array({systems, static_cast<std::size_t>(resamples), columns}),
        std::move(totals).to_array({systems, columns}), to_array(std::move(exponents)));
}

auto indices(std::int64_t segments, std::int64_t count, std::uint64_t seed, std::int64_t resamples) {
    check_sizes(segments, resamples);
    check_sizes(count, resamples);
    if (segments == 0 && count > 0) {
        throw nb::value_error("there is no segment to draw");
    }
    const auto width = static_cast<std::size_t>(count);
    Output<std::uint32_t> places(static_cast<std::size_t>(resamples) * width);
    {
        nb::gil_scoped_release release;
        for (std::int64_t resample = 0; resample < resamples; ++resample) {
            draw_indices(seed, static_cast<std::uint32_t>(resample), segments, count,
                         places.data() + resample * count);
        }
    }
    return std::move(places).to_array({static_cast<std::size_t>(resamples), width});
}

std::int64_t sign_flips(const Vector<double>& differences) {
    const double* first = differences.data();
    if (differences.size() > kMostFlips ||
        !std::all_of(first, first + differences.size(), [](double d) { return std::isfinite(d); })) {
        throw nb::value_error("sign flips are counted for up to 30 finite differences");
    }
    nb::gil_scoped_release release;
    return count_sign_flips(first, static_cast<int>(differences.size()));
}

}  // namespace
}  // namespace kilter

NB_MODULE(_core, module) {
    using namespace kilter;
    module.def("score", &score, "values"_a, "offsets"_a, "beta"_a, "gamma"_a, "right_branching"_a,
               "empty"_a, "jobs"_a);
    module.def("score_kendall_operators", &score_kendall_operators, "values"_a, "offsets"_a,
               "beta"_a, "right_branching"_a, "empty"_a, "jobs"_a);
    module.def("score_beer", &score_beer, "values"_a, "offsets"_a, "beta"_a, "empty"_a, "jobs"_a);
    module.def("score_pairs", &score_two, "first"_a, "first_offsets"_a, "second"_a,
               "second_offsets"_a, "empty"_a, "jobs"_a);
    module.def("find_fault", &fault, "values"_a, "offsets"_a);
    module.def("tree", &tree, "values"_a);
    module.def("linear_widths", &widths, "values"_a);
    module.def("log_tree_count", &log_trees, "values"_a);
    module.def("score_with_operators", &score_with_operators, "values"_a, "operator_scores"_a,
               "beta"_a, "right_branching"_a);
    module.def("resampled_sums", &resampled, "statistics"_a, "seed"_a, "stream"_a, "resamples"_a,
               "jobs"_a);
    module.def("resampled_indices", &indices, "segments"_a, "count"_a, "seed"_a,
               "resamples"_a);
    module.def("philox",
               [](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                  std::uint64_t seed) {
                   const Word4 words = philox({a, b, c, d}, seed);
                   return std::make_tuple(words[0], words[1], words[2], words[3]);
               },
               "block"_a, "resample"_a, "attempt"_a, "stream"_a, "seed"_a);
    module.def("count_sign_flips", &sign_flips, "differences"_a);
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
