// The only file that knows Python: converts arrays, releases the interpreter lock, calls a kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "em_aligner.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"
#include "symmetrization.hpp"

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

// Word alignment learned from a bitext.
namespace em {

using LinkArray = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// Segments of word numbers, checked once: `least` is -1 where unknown words may stand.
Batch as_column(const Vector<std::int32_t>& ids, const Vector<std::int64_t>& offsets,
                std::int32_t least, std::int64_t words) {
    const Batch column = as_batch(ids, offsets);
    if (!std::is_sorted(offsets.data(), offsets.data() + offsets.size())) {
        throw nb::value_error("offsets do not fall");
    }
    for (std::size_t k = 0; k < ids.size(); ++k) {
        if (ids.data()[k] < least || ids.data()[k] >= words) {
            throw nb::value_error("a word's number lies outside its vocabulary");
        }
    }
    return column;
}

Bitext as_bitext(const Batch& source, const Batch& target, std::int32_t source_words,
                 std::int32_t target_words) {
    if (source.segments != target.segments) {
        throw nb::value_error("both sides hold equally many segments");
    }
    return {source, target, source_words, target_words};
}

JumpOptions as_options(double null, double uniform) {
    if (!(null > 0.0 && null < 1.0 && uniform >= 0.0 && uniform < 1.0)) {
        throw nb::value_error("null lies between 0 and 1, uniform from 0 to below 1");
    }
    return {null, uniform};
}

template <class Values>
auto copy(const Values& values) {
    return to_array(std::vector<typename Values::value_type>(values.begin(), values.end()));
}

// A trainer with a copy of its text, which Python could otherwise change between two iterations.
class Trainer {
public:
    Trainer(const Vector<std::int32_t>& source, const Vector<std::int64_t>& source_offsets,
            const Vector<std::int32_t>& target, const Vector<std::int64_t>& target_offsets,
            std::int32_t source_words, std::int32_t target_words, std::int32_t reach,
            std::int64_t cached_cells, int jobs) {
        if (reach < 1) {
            throw nb::value_error("reach is at least 1");
        }
        const Batch from = copied(as_column(source, source_offsets, 0, source_words), 0);
        const Batch to = copied(as_column(target, target_offsets, 0, target_words), 1);
        const Bitext bitext = as_bitext(from, to, source_words, target_words);
        nb::gil_scoped_release release;
        trainer_ = std::make_unique<EmTrainer>(bitext, reach, cached_cells, jobs);
    }
    std::array<double, 2> model1() {
        nb::gil_scoped_release release;
        return trainer_->model1();
    }
    std::array<double, 2> hmm(double null, double uniform, bool agree) {
        const JumpOptions options = as_options(null, uniform);
        nb::gil_scoped_release release;
        return trainer_->hmm(options, agree);
    }
    auto table(int which) const {
        const LexicalTable& found = direction(which).table;
        return std::make_tuple(copy(found.offsets), copy(found.targets), copy(found.probabilities));
    }
    auto jumps(int which) const { return copy(direction(which).jumps.weights); }

private:
    const EmDirection& direction(int which) const {
        if (which != 0 && which != 1) {
            throw nb::value_error("direction 0 is forward, 1 reverse");
        }
        return trainer_->direction(which);
    }
    Batch copied(const Batch& column, std::size_t side) {
        ids_[side].assign(column.values, column.values + column.offsets[column.segments]);
        offsets_[side].assign(column.offsets, column.offsets + column.segments + 1);
        return {ids_[side].data(), offsets_[side].data(), column.segments};
    }

    std::array<std::vector<std::int32_t>, 2> ids_;
    std::array<std::vector<std::int64_t>, 2> offsets_;
    std::unique_ptr<EmTrainer> trainer_;
};

TableView as_table(const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& targets,
                   const Vector<double>& probabilities) {
    const std::size_t rows = offsets.size();
    if (rows < 2 || offsets.data()[0] != 0 || targets.size() != probabilities.size() ||
        offsets.data()[rows - 1] != static_cast<std::int64_t>(targets.size()) ||
        !std::is_sorted(offsets.data(), offsets.data() + rows)) {
        throw nb::value_error("a table's offsets rise from 0 to its number of entries");
    }
    return {offsets.data(), targets.data(), probabilities.data(),
            static_cast<std::int32_t>(rows) - 2, static_cast<std::int32_t>(offsets.data()[1])};
}

auto decode_columns(const Vector<std::int32_t>& source, const Vector<std::int64_t>& source_offsets,
                    const Vector<std::int32_t>& target, const Vector<std::int64_t>& target_offsets,
                    const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& targets,
                    const Vector<double>& probabilities, const Vector<double>& jumps, double null,
                    double uniform, int decoding, int jobs) {
    const TableView table = as_table(offsets, targets, probabilities);
    const Bitext bitext = as_bitext(as_column(source, source_offsets, -1, table.source_words),
                                    as_column(target, target_offsets, -1, table.target_words),
                                    table.source_words, table.target_words);
    if (jumps.size() % 2 == 0 || decoding < 0 || decoding > 2) {
        throw nb::value_error("an odd number of jumps, and a decoding from 0 to 2");
    }
    JumpModel model(static_cast<std::int32_t>(jumps.size() / 2));
    model.weights.assign(jumps.data(), jumps.data() + jumps.size());
    const JumpOptions options = as_options(null, uniform);
    Output<std::int32_t> positions(target.size());
    {
        nb::gil_scoped_release release;
        decode(bitext, table, model, options, static_cast<Decoding>(decoding), jobs,
               positions.data());
    }
    return std::move(positions).to_array({target.size()});
}

LinkColumn as_links(const LinkArray& links, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0 || offsets.data()[0] != 0 ||
        offsets.data()[offsets.size() - 1] != static_cast<std::int64_t>(links.shape(0)) ||
        !std::is_sorted(offsets.data(), offsets.data() + offsets.size())) {
        throw nb::value_error("offsets rise from 0 to the number of links");
    }
    for (std::size_t k = 0; k < links.size(); ++k) {
        if (links.data()[k] < 0) {
            throw nb::value_error("positions are not negative");
        }
    }
    return {links.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
}

auto symmetrize_columns(const LinkArray& forward, const Vector<std::int64_t>& forward_offsets,
                        const LinkArray& reverse, const Vector<std::int64_t>& reverse_offsets,
                        int rule) {
    const LinkColumn ahead = as_links(forward, forward_offsets);
    const LinkColumn back = as_links(reverse, reverse_offsets);
    if (ahead.segments != back.segments || rule < 0 ||
        rule > static_cast<int>(Symmetrization::kGrowDiagFinalAnd)) {
        throw nb::value_error("both directions hold equally many segments; rules are 0 to 6");
    }
    std::vector<std::int32_t> links;
    std::vector<std::int64_t> offsets;
    {
        nb::gil_scoped_release release;
        symmetrize(ahead, back, static_cast<Symmetrization>(rule), links, offsets);
    }
    return std::make_tuple(to_array(std::move(links)), to_array(std::move(offsets)));
}

void bind(nb::module_& module) {
    nb::class_<Trainer>(module, "EmTrainer")
        .def(nb::init<const Vector<std::int32_t>&, const Vector<std::int64_t>&,
                      const Vector<std::int32_t>&, const Vector<std::int64_t>&, std::int32_t,
                      std::int32_t, std::int32_t, std::int64_t, int>(),
             "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "source_words"_a,
             "target_words"_a, "reach"_a, "cached_cells"_a, "jobs"_a)
        .def("model1", &Trainer::model1)
        .def("hmm", &Trainer::hmm, "null"_a, "uniform"_a, "agree"_a)
        .def("table", &Trainer::table, "direction"_a)
        .def("jumps", &Trainer::jumps, "direction"_a);
    module.def("em_decode", &decode_columns, "source"_a, "source_offsets"_a, "target"_a,
               "target_offsets"_a, "offsets"_a, "targets"_a, "probabilities"_a, "jumps"_a, "null"_a,
               "uniform"_a, "decoding"_a, "jobs"_a);
    module.def("symmetrize", &symmetrize_columns, "forward"_a, "forward_offsets"_a, "reverse"_a,
               "reverse_offsets"_a, "rule"_a);
}

}  // namespace em

}  // namespace
}  // namespace kilter

NB_MODULE(_core, module) {
    using namespace kilter;
    em::bind(module);
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
}
