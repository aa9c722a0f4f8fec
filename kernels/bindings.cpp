// The only file that knows Python: converts arrays, releases the interpreter lock, calls a kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "context_match.hpp"
#include "match.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace kilter {
namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
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

// Two texts of equally many segments, with every word below a number of words.
std::pair<Batch, Batch> as_texts(const Vector<std::int32_t>& first,
                                 const Vector<std::int64_t>& first_offsets,
                                 const Vector<std::int32_t>& second,
                                 const Vector<std::int64_t>& second_offsets, std::int64_t words) {
    const Batch one = as_batch(first, first_offsets);
    const Batch other = as_batch(second, second_offsets);
    if (one.segments != other.segments) {
        throw nb::value_error("both texts hold equally many segments");
    }
    for (const Batch& batch : {one, other}) {
        if (!std::is_sorted(batch.offsets, batch.offsets + batch.segments + 1)) {
            throw nb::value_error("offsets never fall");
        }
        for (std::int64_t k = 0; k < batch.offsets[batch.segments]; ++k) {
            if (batch.values[k] < 0 || batch.values[k] >= words) {
                throw nb::value_error("a word number is outside the vocabulary");
            }
        }
    }
    return {one, other};
}

EarlierLinks as_links(const Matrix<std::int32_t>& links, const Vector<std::int64_t>& offsets,
                      const Batch& first, const Batch& second) {
    const auto count = static_cast<std::int64_t>(links.shape(0));
    if (links.shape(1) != 2 || static_cast<std::int64_t>(offsets.size()) != first.segments + 1 ||
        offsets.data()[0] != 0 || offsets.data()[first.segments] != count ||
        !std::is_sorted(offsets.data(), offsets.data() + offsets.size())) {
        throw nb::value_error("links are rows of two, with one offset per segment and the end");
    }
    const EarlierLinks result{links.data(), offsets.data()};
    std::vector<std::int64_t> last_use;  // of a column: the segment that linked it, plus 1
    for (std::int64_t s = 0; s < first.segments; ++s) {
        for (std::int64_t k = result.offsets[s]; k < result.offsets[s + 1]; ++k) {
            const std::int64_t row = result.links[2 * k];
            const std::int64_t col = result.links[2 * k + 1];
            if (row < 0 || row >= first.offsets[s + 1] - first.offsets[s] || col < 0 ||
                col >= second.offsets[s + 1] - second.offsets[s]) {
                throw nb::value_error("a link points outside its sentence pair");
            }
            if (k > result.offsets[s] && row <= result.links[2 * k - 2]) {
                throw nb::value_error("links are sorted, with each word in one link at most");
            }
            if (static_cast<std::size_t>(col) >= last_use.size()) {
                last_use.resize(static_cast<std::size_t>(col) + 1, 0);
            }
            if (std::exchange(last_use[static_cast<std::size_t>(col)], s + 1) == s + 1) {
                throw nb::value_error("links are sorted, with each word in one link at most");
            }
        }
    }
    return result;
}

// The flat pairs of a vector as rows of two, without a copy.
Array<std::int32_t> to_links(std::vector<std::int32_t>&& links) {
    using Links = std::vector<std::int32_t>;
    const std::size_t count = links.size() / 2;
    auto owned = std::make_unique<Links>(std::move(links));
    nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<Links*>(p); });
    return Array<std::int32_t>(owned.release()->data(), {count, 2}, owner);
}

auto match(const Vector<std::int32_t>& first, const Vector<std::int64_t>& first_offsets,
           const Vector<std::int32_t>& second, const Vector<std::int64_t>& second_offsets,
           const Matrix<std::int32_t>& links, const Vector<std::int64_t>& link_offsets,
           const Vector<std::int64_t>& key_offsets, const Vector<std::int32_t>& keys,
           bool crossings, std::int64_t bound, std::int64_t trials, int jobs) {
    // No key offsets: one key per word, and a negative one matches nothing.
    const bool single = key_offsets.size() == 0;
    const auto words = static_cast<std::int64_t>(single ? keys.size() : key_offsets.size() - 1);
    const auto [one, other] = as_texts(first, first_offsets, second, second_offsets, words);
    const EarlierLinks earlier = as_links(links, link_offsets, one, other);
    std::int32_t last = -1;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        last = std::max(last, keys.data()[k]);
        if (!single && keys.data()[k] < 0) {
            throw nb::value_error("keys are at least 0");
        }
    }
    if (last == std::numeric_limits<std::int32_t>::max() ||
        (!single && (key_offsets.data()[0] != 0 ||
                     key_offsets.data()[words] != static_cast<std::int64_t>(keys.size()) ||
                     !std::is_sorted(key_offsets.data(), key_offsets.data() + words + 1)))) {
        throw nb::value_error("key offsets rise from 0 to the number of keys");
    }
    for (std::int64_t word = 0; !single && word < words; ++word) {
        for (std::int64_t k = key_offsets.data()[word] + 1; k < key_offsets.data()[word + 1]; ++k) {
            if (keys.data()[k] <= keys.data()[k - 1]) {
                throw nb::value_error("the keys of a word are sorted and distinct");
            }
        }
    }
    MatchLinks result;
    {
        nb::gil_scoped_release release;
        const MatchKeys match_keys{single ? nullptr : key_offsets.data(), keys.data(), last + 1};
        const MatchOptions options{crossings ? MatchRule::kCrossings : MatchRule::kChunks, bound,
                                   trials, jobs};
        result = match_batch(one, other, earlier, match_keys, options);
    }
    return std::make_tuple(to_links(std::move(result.links)), to_array(std::move(result.offsets)),
                           to_array(std::move(result.bounded)));
}

auto match_by_context(const Vector<std::int32_t>& first, const Vector<std::int64_t>& first_offsets,
                      const Vector<std::int32_t>& second,
                      const Vector<std::int64_t>& second_offsets, int jobs) {
    const auto [one, other] = as_texts(first, first_offsets, second, second_offsets,
                                       std::numeric_limits<std::int64_t>::max());
    ContextLinks result;
    {
        nb::gil_scoped_release release;
        result = context_match(one, other, jobs);
    }
    return std::make_tuple(to_links(std::move(result.links)), to_array(std::move(result.offsets)),
                           to_array(std::move(result.rising)));
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

    module.def("match", &match, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "links"_a, "link_offsets"_a, "key_offsets"_a, "keys"_a, "crossings"_a, "bound"_a,
               "trials"_a, "jobs"_a);
    module.def("match_by_context", &match_by_context, "first"_a, "first_offsets"_a, "second"_a,
               "second_offsets"_a, "jobs"_a);
}
