// The only file that knows Python: converts arrays, releases the interpreter lock, calls a kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "kendall.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"
#include "row_format.hpp"

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

// A column is an array of numbers or flags, a pair (values, offsets) of lists, or a list of texts.
FormatColumn as_column(nb::handle object, std::int64_t rows) {
    using Kind = FormatColumn::Kind;
    FormatColumn column;
    const auto check = [&](std::size_t size) {
        if (static_cast<std::int64_t>(size) != rows) {
            throw nb::value_error("every column has one entry per row");
        }
    };
    if (nb::isinstance<nb::tuple>(object)) {
        const auto pair = nb::cast<nb::tuple>(object);
        const auto values = nb::cast<Vector<std::int32_t>>(pair[0]);
        const auto offsets = nb::cast<Vector<std::int64_t>>(pair[1]);
        as_batch(values, offsets);
        check(offsets.size() - 1);
        column.kind = Kind::kList;
        column.integers32 = values.data();
        column.integers64 = offsets.data();
        return column;
    }
    if (nb::isinstance<nb::list>(object)) {
        const auto texts = nb::cast<nb::list>(object);
        check(texts.size());
        column.kind = Kind::kText;
        for (nb::handle text : texts) {
            Py_ssize_t size = 0;
            const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
            if (data == nullptr) {
                throw nb::python_error();
            }
            column.texts.emplace_back(data, static_cast<std::size_t>(size));
        }
        return column;
    }
    const auto array = nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>>(object);
    check(array.shape(0));
    column.stride = array.stride(0);
    if (array.dtype() == nb::dtype<double>()) {
        column.kind = Kind::kFloat;
        column.floats = static_cast<const double*>(array.data());
    } else if (array.dtype() == nb::dtype<std::int32_t>()) {
        column.kind = Kind::kInteger32;
        column.integers32 = static_cast<const std::int32_t*>(array.data());
    } else if (array.dtype() == nb::dtype<std::int64_t>()) {
        column.kind = Kind::kInteger64;
        column.integers64 = static_cast<const std::int64_t*>(array.data());
    } else if (array.dtype() == nb::dtype<std::uint64_t>()) {
        column.kind = Kind::kUnsigned64;
        column.unsigneds = static_cast<const std::uint64_t*>(array.data());
    } else if (array.dtype() == nb::dtype<bool>()) {
        column.kind = Kind::kFlag;
        column.flags = static_cast<const bool*>(array.data());
    } else {
        throw nb::value_error("a column holds float64, int32, int64, uint64 or bool");
    }
    return column;
}

// The objects behind the columns are kept alive by the caller's list.
nb::bytes rows_as_text(std::int64_t rows, nb::list objects, std::vector<std::string> literals,
                       std::vector<std::int64_t> widths, bool people, std::string list_separator,
                       std::int32_t list_base) {
    if (literals.size() != objects.size() + 1 || widths.size() != objects.size()) {
        throw nb::value_error("one width per column and one literal more than columns");
    }
    std::vector<FormatColumn> columns;
    for (nb::handle object : objects) {
        columns.push_back(as_column(object, rows));
    }
    std::string out;
    {
        nb::gil_scoped_release release;
        format_rows(rows, columns, literals, widths, {people, std::move(list_separator), list_base}, out);
    }
    return nb::bytes(out.data(), out.size());
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
}  // namespace kilter

NB_MODULE(_core, module) {
    using namespace kilter;
    module.def("score", &score, "values"_a, "offsets"_a, "beta"_a, "gamma"_a, "right_branching"_a,
               "empty"_a, "jobs"_a);
    module.def("score_trees", &score_trees, "values"_a, "offsets"_a, "beta"_a, "gamma"_a,
               "right_branching"_a, "empty"_a, "jobs"_a);
    module.def("score_kendall_operators", &score_kendall_operators, "values"_a, "offsets"_a,
               "beta"_a, "right_branching"_a, "empty"_a, "jobs"_a);
    module.def("score_kendall", &score_kendall, "values"_a, "offsets"_a, "empty"_a, "jobs"_a);
    module.def("format_rows", &rows_as_text, "rows"_a, "columns"_a, "literals"_a, "widths"_a,
               "people"_a, "list_separator"_a, "list_base"_a);
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
