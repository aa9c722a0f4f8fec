// Words, n-grams and what is counted on them.
#include "bindings/arrays.hpp"

#include <string>

#include "bleu_score.hpp"
#include "interner.hpp"
#include "ngram.hpp"
#include "ribes.hpp"
#include "token_batch.hpp"

namespace kilter {
namespace {

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

auto row_bleu(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& rows,
              std::uint32_t smoothing, bool effective, bool compensated) {
    if (rows.shape(1) < 4 || rows.shape(1) % 2 != 0) {
        throw nb::value_error("a row holds two lengths, then matches and n-grams by order");
    }
    if (smoothing > static_cast<std::uint32_t>(BleuSmoothing::kNone)) {
        throw nb::value_error("the kinds of smoothing are 0 to 3");
    }
    const std::size_t count = rows.shape(0);
    Output<double> scores(count);
    {
        nb::gil_scoped_release release;
        bleu_scores(rows.data(), static_cast<std::int64_t>(count),
                    static_cast<int>(rows.shape(1) / 2 - 1),
                    {static_cast<BleuSmoothing>(smoothing), effective, compensated}, scores.data());
    }
    return std::move(scores).to_array({count});
}

}  // namespace

void add_words(nb::module_& module) {
    module.def("count_ngrams", &ngrams, "ids"_a, "offsets"_a, "reference_ids"_a,
               "reference_offsets"_a, "jobs"_a);
    module.def("match_ribes", &ribes, "ids"_a, "offsets"_a, "reference_ids"_a,
               "reference_offsets"_a, "jobs"_a);
    module.def("bleu_scores", &row_bleu, "rows"_a, "smoothing"_a, "effective"_a, "compensated"_a);
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
}

}  // namespace kilter
