// The only file that knows Python: converts arrays, releases the interpreter lock, calls a kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "em_aligner.hpp"
#include "interner.hpp"
#include "kendall.hpp"
#include "link_pairs.hpp"
#include "link_reader.hpp"
#include "link_rule.hpp"
#include "match.hpp"
#include "mean_precision.hpp"
#include "ngram.hpp"
#include "pef.hpp"
#include "permutation_reader.hpp"
#include "permutation_tree.hpp"
#include "resample.hpp"
#include "ribes.hpp"
#include "row_format.hpp"
#include "symmetrization.hpp"
#include "token_batch.hpp"

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

TokenBatch as_tokens(const Vector<std::int32_t>& ids, const Vector<std::int64_t>& offsets,
                     std::size_t entries) {
    if (offsets.size() != entries) {
        throw nb::value_error("all texts hold the same number of segments");
    }
    const Batch batch = as_batch(ids, offsets);
    return {batch.values, batch.offsets, batch.segments};
}

auto ngrams(const Vector<std::int32_t>& ids, const Vector<std::int64_t>& offsets,
            const std::vector<Vector<std::int32_t>>& reference_ids,
            const std::vector<Vector<std::int64_t>>& reference_offsets, int jobs) {
    if (reference_ids.empty() || reference_ids.size() != reference_offsets.size()) {
        throw nb::value_error("there is at least one reference, each with ids and offsets");
    }
    const TokenBatch hypothesis = as_tokens(ids, offsets, offsets.size());
    std::vector<TokenBatch> references;
    for (std::size_t k = 0; k < reference_ids.size(); ++k) {
        references.push_back(as_tokens(reference_ids[k], reference_offsets[k], offsets.size()));
    }
    const auto rows = static_cast<std::size_t>(hypothesis.segments);
    Output<std::int64_t> counts(rows * kNgramColumns);
    {
        nb::gil_scoped_release release;
        count_ngrams(hypothesis, references, jobs, counts.data());
    }
    return std::move(counts).to_array({rows, std::size_t{kNgramColumns}});
}

auto ribes(const Vector<std::int32_t>& ids, const Vector<std::int64_t>& offsets,
           const Vector<std::int32_t>& reference_ids, const Vector<std::int64_t>& reference_offsets,
           int jobs) {
    const TokenBatch hypothesis = as_tokens(ids, offsets, offsets.size());
    const TokenBatch reference = as_tokens(reference_ids, reference_offsets, offsets.size());
    const auto rows = static_cast<std::size_t>(hypothesis.segments);
    Output<std::int64_t> counts(rows * kRibesColumns);
    Output<std::int32_t> positions(ids.size());
    {
        nb::gil_scoped_release release;
        match_ribes(hypothesis, reference, jobs, counts.data(), positions.data());
    }
    return std::make_tuple(std::move(counts).to_array({rows, std::size_t{kRibesColumns}}),
                           std::move(positions).to_array({ids.size()}));
}

// The UTF-8 of a text. Lone surrogates, which a Python string can hold, are passed through.
std::string as_text(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data != nullptr) {
        return {data, static_cast<std::size_t>(size)};
    }
    PyErr_Clear();
    const auto encoded = nb::steal<nb::bytes>(
        PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!encoded.is_valid()) {
        throw nb::python_error();
    }
    return {encoded.c_str(), encoded.size()};
}

nb::object from_text(const std::string& text) {
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                          "surrogatepass"));
}

// Numbers of the words of many lines, and where each line starts.
auto interned_lines(Interner& interner, nb::list lines, bool tokenized) {
    std::vector<std::int32_t> numbers;
    std::vector<std::int64_t> offsets{0};
    for (nb::handle line : lines) {
        if (tokenized) {
            interner.split_13a(as_text(line), numbers);
        } else {
            interner.split(as_text(line), numbers);
        }
        offsets.push_back(static_cast<std::int64_t>(numbers.size()));
    }
    return std::make_tuple(to_array(std::move(numbers)), to_array(std::move(offsets)));
}

auto row_means(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows,
               bool compensated) {
    const std::size_t count = rows.shape(0);
    Output<double> means(count);
    geometric_means(rows.data(), static_cast<std::int64_t>(count),
                    static_cast<std::int64_t>(rows.shape(1)), compensated, means.data());
    return std::move(means).to_array({count});
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

// Links: rows of (first, second) and offsets.
using Pairs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

LinkRows as_links(const Pairs& pairs, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0) {
        throw nb::value_error("offsets hold at least one entry");
    }
    const LinkRows links{pairs.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    if (links.offsets[0] != 0 ||
        links.offsets[links.segments] != static_cast<std::int64_t>(pairs.shape(0)) ||
        !std::is_sorted(links.offsets, links.offsets + links.segments + 1)) {
        throw nb::value_error("offsets rise from 0 to the number of links");
    }
    return links;
}

void check_lengths(const LinkRows& links, const Vector<std::int64_t>& lengths) {
    if (static_cast<std::int64_t>(lengths.size()) != links.segments) {
        throw nb::value_error("one length per segment");
    }
}

std::int64_t link_outside(const Pairs& pairs, const Vector<std::int64_t>& offsets,
                          const Vector<std::int64_t>& first_lengths,
                          std::optional<Vector<std::int64_t>> second_lengths) {
    const LinkRows links = as_links(pairs, offsets);
    check_lengths(links, first_lengths);
    if (second_lengths) {
        check_lengths(links, *second_lengths);
    }
    nb::gil_scoped_release release;
    return find_outside(links, first_lengths.data(),
                        second_lengths ? second_lengths->data() : nullptr);
}

auto collected_links(const Vector<std::int64_t>& owners, const Pairs& pairs, std::int64_t segments) {
    const auto count = static_cast<std::int64_t>(owners.size());
    if (segments < 0 || static_cast<std::int64_t>(pairs.shape(0)) != count) {
        throw nb::value_error("one owner per link, and no negative number of segments");
    }
    for (std::int64_t k = 0; k < count; ++k) {
        if (owners.data()[k] < 0 || owners.data()[k] >= segments || pairs.data()[2 * k] < 0 ||
            pairs.data()[2 * k + 1] < 0) {
            throw nb::value_error("a link has no such segment or a negative position");
        }
    }
    Output<std::int32_t> links(static_cast<std::size_t>(count) * 2);
    Output<std::int64_t> offsets(static_cast<std::size_t>(segments) + 1);
    std::int64_t kept = 0;
    {
        nb::gil_scoped_release release;
        kept = collect_links(owners.data(), pairs.data(), count, segments, links.data(),
                             offsets.data());
    }
    return std::make_tuple(
        std::move(links).to_array({static_cast<std::size_t>(kept), std::size_t{2}}),
        std::move(offsets).to_array({static_cast<std::size_t>(segments) + 1}));
}

auto linked_words(const Pairs& pairs, const Vector<std::int64_t>& offsets, int jobs) {
    const LinkRows links = as_links(pairs, offsets);
    const auto rows = static_cast<std::size_t>(links.segments);
    Output<std::int64_t> counts(rows * 2);
    {
        nb::gil_scoped_release release;
        count_linked_words(links, jobs, counts.data());
    }
    return std::move(counts).to_array({rows, std::size_t{2}});
}

auto link_pairs(const Pairs& pairs, const Vector<std::int64_t>& offsets, bool sequences, int jobs) {
    const LinkRows links = as_links(pairs, offsets);
    const auto rows = static_cast<std::size_t>(links.segments);
    Output<std::int64_t> counts(rows * 2);
    {
        nb::gil_scoped_release release;
        count_link_pairs(links, sequences, jobs, counts.data());
    }
    return std::move(counts).to_array({rows, std::size_t{2}});
}

auto reorder_words(const Pairs& pairs, const Vector<std::int64_t>& link_offsets,
                   const Vector<std::int64_t>& lengths, int key, int null_word, bool grouped,
                   int jobs) {
    const LinkRows links = as_links(pairs, link_offsets);
    check_lengths(links, lengths);
    if (key < 0 || key > 2 || null_word < 0 || null_word > 2) {
        throw nb::value_error("there is no such rule");
    }
    const LinkRule rule{static_cast<LinkKey>(key), static_cast<NullWord>(null_word), grouped};
    const auto rows = static_cast<std::size_t>(links.segments);
    Output<std::int64_t> offsets(rows + 1);
    offsets.data()[0] = 0;
    std::unique_ptr<Output<std::int32_t>> columns[3];
    bool outside = false;
    {
        nb::gil_scoped_release release;
        outside = find_outside(links, lengths.data(), nullptr) >= 0;
        if (!outside) {
            std::vector<std::int64_t> counts;
            if (rule.null_word == NullWord::kDrop) {
                counts.resize(rows * 2);
                count_linked_words(links, jobs, counts.data());
            }
            for (std::size_t s = 0; s < rows; ++s) {
                offsets.data()[s + 1] =
                    offsets.data()[s] + (counts.empty() ? lengths.data()[s] : counts[2 * s]);
            }
            for (auto& column : columns) {
                column = std::make_unique<Output<std::int32_t>>(
                    static_cast<std::size_t>(offsets.data()[rows]));
            }
            reorder(links, lengths.data(), rule, jobs, offsets.data(), columns[0]->data(),
                    columns[1]->data(), columns[2]->data());
        }
    }
    if (outside) {
        throw nb::value_error("a link points outside its sentence");
    }
    const auto kept = static_cast<std::size_t>(offsets.data()[rows]);
    return std::make_tuple(std::move(*columns[0]).to_array({kept}),
                           std::move(*columns[1]).to_array({kept}),
                           std::move(*columns[2]).to_array({kept}),
                           std::move(offsets).to_array({rows + 1}));
}

auto link_lines(nb::bytes data) {
    LinkLines lines;
    {
        const auto* bytes = static_cast<const unsigned char*>(data.data());
        const std::size_t size = data.size();
        nb::gil_scoped_release release;
        lines = read_link_lines(bytes, size);
    }
    nb::list bad;
    for (const BadLink& link : lines.bad) {
        bad.append(nb::make_tuple(link.line, link.begin, link.end));
    }
    return nb::make_tuple(to_array(std::move(lines.pairs)), to_array(std::move(lines.signs)),
                          to_array(std::move(lines.offsets)), bad);
}

void add_links(nb::module_& module) {
    module.def("link_outside", &link_outside, "links"_a, "offsets"_a, "first_lengths"_a,
               "second_lengths"_a.none());
    module.def("collect_links", &collected_links, "owners"_a, "links"_a, "segments"_a);
    module.def("linked_words", &linked_words, "links"_a, "offsets"_a, "jobs"_a);
    module.def("link_pairs", &link_pairs, "links"_a, "offsets"_a, "sequences"_a, "jobs"_a);
    module.def("reorder", &reorder_words, "links"_a, "offsets"_a, "lengths"_a, "key"_a,
               "null_word"_a, "grouped"_a, "jobs"_a);
    module.def("link_lines", &link_lines, "data"_a);
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
    add_links(module);
    module.def("count_ngrams", &ngrams, "ids"_a, "offsets"_a, "reference_ids"_a,
               "reference_offsets"_a, "jobs"_a);
    module.def("match_ribes", &ribes, "ids"_a, "offsets"_a, "reference_ids"_a,
               "reference_offsets"_a, "jobs"_a);
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
    module.def("geometric_means", &row_means, "rows"_a, "compensated"_a);
    nb::class_<Interner>(module, "Interner")
        .def(nb::init<>())
        .def("number", [](Interner& interner, nb::str word) { return interner.number(as_text(word)); },
             "word"_a)
        .def("lines", &interned_lines, "lines"_a, "tokenized"_a)
        .def("words",
             [](const Interner& interner, std::size_t first) {
                 nb::list words;
                 for (std::size_t number = first; number < interner.size(); ++number) {
                     words.append(from_text(interner.word(number)));
                 }
                 return words;
             },
             "first"_a)
        .def("__len__", [](const Interner& interner) { return interner.size(); });
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
}
