// Words, n-grams and what is counted on them.
#include "bindings/checked.hpp"

#include <deque>
#include <string>

#include "bleu_score.hpp"
#include "common_ngram.hpp"
#include "information.hpp"
#include "interner.hpp"
#include "ngram.hpp"
#include "ribes.hpp"
#include "shift_edit.hpp"
#include "word_error.hpp"
#include "word_likeness.hpp"

namespace kilter {
namespace {

constexpr std::int64_t kAnyWord = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kLastCharacter = 0x10ffff;

void check_equal_segments(const Texts& hypothesis, const Texts& reference) {
    if (hypothesis.segments() != reference.segments()) {
        refuse("the hypothesis has " + std::to_string(hypothesis.segments()) + " segments, a reference " +
               std::to_string(reference.segments()));
    }
}

// All references of a text, copied and checked against it.
class References {
public:
    References(const std::vector<Ints>& ids, const std::vector<Longs>& offsets, const Texts& hypothesis) {
        for (std::size_t k = 0; k < ids.size(); ++k) {
            copies_.emplace_back(ids[k], offsets[k], 0, kAnyWord, "second");
            check_equal_segments(hypothesis, copies_.back());
            tokens_.push_back(copies_.back().batch());
            words_ += copies_.back().size();
        }
    }
    const std::vector<Batch>& tokens() const { return tokens_; }
    std::size_t words() const { return words_; }

private:
    std::deque<Texts> copies_;
    std::vector<Batch> tokens_;
    std::size_t words_ = 0;
};

void check_references(const std::vector<Ints>& ids, const std::vector<Longs>& offsets) {
    if (ids.empty() || ids.size() != offsets.size()) {
        refuse("there is at least one reference, each with ids and offsets");
    }
}

auto ngrams(const Ints& first, const Longs& first_offsets, const std::vector<Ints>& second,
            const std::vector<Longs>& second_offsets, Int jobs) {
    check_references(second, second_offsets);
    auto [rows, counts] = unlocked([&] {
        const Texts hypothesis(first, first_offsets, 0, kAnyWord, "first");
        const References references(second, second_offsets, hypothesis);
        Output<std::int64_t> found(hypothesis.rows() * kNgramColumns);
        count_ngrams(hypothesis.batch(), references.tokens(), jobs, found.data());
        return std::make_pair(hypothesis.rows(), std::move(found));
    });
    return std::move(counts).to_array({rows, std::size_t{kNgramColumns}});
}

auto common_ngrams(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                   Int order, Int jobs) {
    if (order < 1 || order > kCommonOrder) {
        refuse("order is " + std::to_string(order) + "; it lies between 1 and " + std::to_string(kCommonOrder));
    }
    auto [rows, counts] = unlocked([&] {
        const Texts hypothesis(first, first_offsets, 0, kAnyWord, "first");
        const Texts reference(second, second_offsets, 0, kAnyWord, "second");
        check_equal_segments(hypothesis, reference);
        Output<std::int64_t> found(hypothesis.rows() * static_cast<std::size_t>(order));
        count_common_ngrams(hypothesis.batch(), reference.batch(), order, jobs, found.data());
        return std::make_pair(hypothesis.rows(), std::move(found));
    });
    return std::move(counts).to_array({rows, static_cast<std::size_t>(order)});
}

auto information(const Ints& first, const Longs& first_offsets, const std::vector<Ints>& second,
                 const std::vector<Longs>& second_offsets, Int order) {
    check_references(second, second_offsets);
    if (order < 1 || order > kInformationOrder) {
        refuse("order is " + std::to_string(order) + "; it lies between 1 and " + std::to_string(kInformationOrder));
    }
    auto [rows, sums] = unlocked([&] {
        const Texts hypothesis(first, first_offsets, 0, kAnyWord, "first");
        const References references(second, second_offsets, hypothesis);
        if (references.words() > static_cast<std::size_t>(kMostReferenceWords)) {
            refuse("the references have more than " + std::to_string(kMostReferenceWords) + " words");
        }
        Output<double> found(hypothesis.rows() * static_cast<std::size_t>(order));
        sum_information(hypothesis.batch(), references.tokens(), order, found.data());
        return std::make_pair(hypothesis.rows(), std::move(found));
    });
    return std::move(sums).to_array({rows, static_cast<std::size_t>(order)});
}

auto word_errors(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                 Int jobs) {
    auto [rows, counts] = unlocked([&] {
        const Texts hypothesis(first, first_offsets, 0, kAnyWord, "first");
        const Texts reference(second, second_offsets, 0, kAnyWord, "second");
        check_equal_segments(hypothesis, reference);
        Output<std::int64_t> found(hypothesis.rows() * kWordErrorColumns);
        count_word_errors(hypothesis.batch(), reference.batch(), jobs, found.data());
        return std::make_pair(hypothesis.rows(), std::move(found));
    });
    return std::move(counts).to_array({rows, std::size_t{kWordErrorColumns}});
}

template <class Count>
auto shift_edits_by(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                    Count count) {
    auto [rows, counts] = unlocked([&] {
        const Texts hypothesis(first, first_offsets, 0, kAnyWord, "first");
        const Texts reference(second, second_offsets, 0, kAnyWord, "second");
        check_equal_segments(hypothesis, reference);
        Output<std::int64_t> found(hypothesis.rows());
        count(hypothesis.batch(), reference.batch(), found.data());
        return std::make_pair(hypothesis.rows(), std::move(found));
    });
    return std::move(counts).to_array({rows});
}

auto shift_edits(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                 Int jobs) {
    return shift_edits_by(first, first_offsets, second, second_offsets,
                          [jobs](const Batch& hypothesis, const Batch& reference, std::int64_t* edits) {
                              count_shift_edits(hypothesis, reference, jobs, edits);
                          });
}

auto plain_shift_edits(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets) {
    return shift_edits_by(first, first_offsets, second, second_offsets, count_shift_edits_plainly);
}

auto likeness(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
              const Ints& letters, const Longs& letter_offsets, Int jobs) {
    Output<double> found = unlocked([&] {
        const Texts words(letters, letter_offsets, 0, kLastCharacter, "letters");
        const std::int64_t last = words.segments() - 1;
        const Texts hypothesis(first, first_offsets, 0, last, "first");
        const Texts reference(second, second_offsets, 0, last, "second");
        check_equal_segments(hypothesis, reference);
        Output<double> greatest(reference.size());
        word_likeness(hypothesis.batch(), reference.batch(), words.batch(), jobs, greatest.data());
        return greatest;
    });
    return std::move(found).to_array({second.size()});
}

auto ribes(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets, Int jobs) {
    auto [rows, counts, positions] = unlocked([&] {
        const Texts hypothesis(first, first_offsets, 0, kAnyWord, "first");
        const Texts reference(second, second_offsets, 0, kAnyWord, "second");
        check_equal_segments(hypothesis, reference);
        Output<std::int64_t> found(hypothesis.rows() * kRibesColumns);
        Output<std::int32_t> places(hypothesis.size());
        match_ribes(hypothesis.batch(), reference.batch(), jobs, found.data(), places.data());
        return std::make_tuple(hypothesis.rows(), std::move(found), std::move(places));
    });
    return std::make_tuple(std::move(counts).to_array({rows, std::size_t{kRibesColumns}}),
                           std::move(positions).to_array({first.size()}));
}

// The UTF-8 of a text. Lone surrogates, which a Python string can hold, are passed through.
std::string as_text(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) {
        throw nb::type_error("a text is a str");
    }
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data != nullptr) {
        return {data, static_cast<std::size_t>(size)};
    }
    PyErr_Clear();
    const auto encoded = nb::steal<nb::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!encoded.is_valid()) {
        throw nb::python_error();
    }
    return {encoded.c_str(), encoded.size()};
}

nb::object from_text(const std::string& text) {
    nb::object result =
        nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass"));
    if (!result.is_valid()) {
        throw nb::python_error();
    }
    return result;
}

// Handlers of signals may run here, while the interpreter lock is held.
void check_signals(std::size_t done) {
    if (done % 4096 == 4095 && PyErr_CheckSignals() != 0) {
        throw nb::python_error();
    }
}

// Numbers of the words of many lines, and where each line starts. The interner is guarded by the
// interpreter lock, which is held all along; the list may change while a handler of signals runs.
auto interned_lines(Interner& interner, const nb::typed<nb::list, nb::str>& lines, bool tokenized) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (!PyUnicode_Check(nb::handle(lines[k]).ptr())) {
            throw nb::type_error("a line is a str");
        }
    }
    std::vector<std::int32_t> numbers;
    std::vector<std::int64_t> offsets{0};
    for (std::size_t k = 0; k < lines.size(); ++k) {
        check_signals(k);
        if (k >= lines.size()) {
            break;
        }
        const nb::object line = lines[k];
        if (tokenized) {
            interner.split_13a(as_text(line), numbers);
        } else {
            interner.split(as_text(line), numbers);
        }
        offsets.push_back(static_cast<std::int64_t>(numbers.size()));
    }
    return std::make_tuple(to_array(std::move(numbers)), to_array(std::move(offsets)));
}

nb::typed<nb::list, nb::str> interned_words(const Interner& interner, Whole<std::size_t> first) {
    nb::typed<nb::list, nb::str> words;
    for (std::size_t number = first; number < interner.size(); ++number) {
        check_signals(number);
        words.append(from_text(interner.word(number)));
    }
    return words;
}

auto row_bleu(const Matrix<double>& rows, BleuSmoothing smoothing, bool effective, bool compensated) {
    if (rows.shape(1) < 4 || rows.shape(1) % 2 != 0 || rows.shape(1) > 4096) {
        refuse("a row holds two lengths, then matches and n-grams by order");
    }
    const BleuOptions options{smoothing, effective, compensated};
    const std::size_t count = rows.shape(0);
    Output<double> scores = unlocked([&] {
        const Copy<double> values(rows);
        values.check_finite("rows", 0.0);
        Output<double> found(count);
        bleu_scores(values.data(), static_cast<std::int64_t>(count), static_cast<int>(rows.shape(1) / 2 - 1), options,
                    found.data());
        return found;
    });
    return std::move(scores).to_array({count});
}

}  // namespace

void add_words(nb::module_& module) {
    nb::enum_<BleuSmoothing>(module, "BleuSmoothing", "What becomes of an n-gram order without a match.")
        .value("EXP", BleuSmoothing::kExponential)
        .value("ADD_ONE", BleuSmoothing::kAddOne)
        .value("FLOOR", BleuSmoothing::kFloor)
        .value("NONE", BleuSmoothing::kNone);
    module.def("count_ngrams", &ngrams, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "jobs"_a,
               "Return lengths, matches and numbers of n-grams of each segment, as BLEU counts them.");
    module.def("count_common_ngrams", &common_ngrams, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "order"_a, "jobs"_a,
               "Return how many n-grams of order 1 to `order` both sides of each segment have in common.");
    module.def("sum_information", &information, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "order"_a,
               "Return the bits of the matching n-grams of each segment by order, as NIST weighs them.");
    module.def("count_word_errors", &word_errors, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "jobs"_a,
               "Return the edits of each segment, its errors as a bag of words, and its edits where a jump "
               "costs one.");
    module.def("count_shift_edits", &shift_edits, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "jobs"_a, "Return the edits of each segment where shifting a block costs one, as TER counts them.");
    testing(module).def("count_shift_edits_plainly", &plain_shift_edits, "first"_a, "first_offsets"_a, "second"_a,
                        "second_offsets"_a, "Return the same by the table of edits alone.");
    module.def("word_likeness", &likeness, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "letters"_a,
               "letter_offsets"_a, "jobs"_a,
               "Return how like the likest word of the hypothesis each reference word is, by characters.");
    module.def("match_ribes", &ribes, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "jobs"_a,
               "Return matched words and rising pairs of each segment, and the reference position of "
               "each word or -1.");
    module.def("bleu_scores", &row_bleu, "rows"_a, "smoothing"_a.noconvert(), "effective"_a, "compensated"_a,
               "Return BLEU of each row of counts, from 0 to 1.");
    nb::class_<Interner>(module, "Interner", "Numbers words in the order in which they come.")
        .def(nb::init<>())
        .def(
            "number", [](Interner& interner, const nb::str& word) { return interner.number(as_text(word)); }, "word"_a,
            "Return the number of a word, a new one if it was never seen.")
        .def("lines", &interned_lines, "lines"_a, "tokenized"_a,
             "Return the numbers of the words of all lines, and where each line starts.")
        .def("words", &interned_words, "first"_a, "Return the words from a number on.")
        .def(
            "__len__", [](const Interner& interner) { return interner.size(); },
            "Return how many words have a number.");
}

}  // namespace kilter
