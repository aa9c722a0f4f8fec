// The perceptron tagger and parser: running and learning.
#include "bindings/arrays.hpp"

#include "arc_hybrid.hpp"
#include "perceptron_tagger.hpp"

namespace kilter {
namespace {

using Parts = nb::ndarray<const std::uint32_t, nb::shape<-1, word_parts>, nb::c_contig, nb::device::cpu>;

PerceptronTable as_table(const Matrix<std::int8_t>& weights) {
    int bits = 0;
    while ((std::size_t{1} << bits) < weights.shape(0)) {
        ++bits;
    }
    if (bits < 1 || (std::size_t{1} << bits) != weights.shape(0) || weights.shape(1) == 0) {
        throw nb::value_error("a table has a power of two of rows, and columns");
    }
    return {weights.data(), bits, static_cast<int>(weights.shape(1))};
}

void check_rows(const Parts& parts, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0 || offsets.data()[0] != 0 ||
        offsets.data()[offsets.size() - 1] != static_cast<std::int64_t>(parts.shape(0))) {
        throw nb::value_error("offsets start at 0 and end at the number of words");
    }
    for (std::size_t k = 1; k < offsets.size(); ++k) {
        if (offsets.data()[k] < offsets.data()[k - 1]) {
            throw nb::value_error("offsets rise");
        }
    }
}

template <class Each>
void for_each_sentence(const Parts& parts, const Vector<std::int64_t>& offsets, Each each) {
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
        const std::int64_t begin = offsets.data()[k];
        const WordRows words{parts.data() + begin * word_parts,
                             static_cast<std::int32_t>(offsets.data()[k + 1] - begin)};
        each(words, begin);
    }
}

auto perceptron_tags(const Matrix<std::int8_t>& weights, const Parts& parts,
                     const Vector<std::int64_t>& offsets) {
    const PerceptronTable table = as_table(weights);
    check_rows(parts, offsets);
    Output<std::int32_t> tags(parts.shape(0));
    {
        nb::gil_scoped_release release;
        for_each_sentence(parts, offsets, [&](const WordRows& words, std::int64_t begin) {
            tag_words(table, words, tags.data() + begin);
        });
    }
    return std::move(tags).to_array({parts.shape(0)});
}

auto perceptron_trees(const Matrix<std::int8_t>& moves, const Matrix<std::int8_t>& labels,
                      const Parts& parts, const Vector<std::int64_t>& offsets,
                      const Vector<std::int32_t>& tags) {
    const PerceptronTable move_table = as_table(moves);
    const PerceptronTable label_table = as_table(labels);
    check_rows(parts, offsets);
    if (tags.size() != parts.shape(0) || move_table.classes != transitions) {
        throw nb::value_error("one tag a word, and one column for each move");
    }
    Output<std::int32_t> heads(parts.shape(0));
    Output<std::int32_t> names(parts.shape(0));
    {
        nb::gil_scoped_release release;
        for_each_sentence(parts, offsets, [&](const WordRows& words, std::int64_t begin) {
            parse_words(move_table, label_table, words, tags.data() + begin, heads.data() + begin,
                        names.data() + begin);
        });
    }
    return std::make_tuple(std::move(heads).to_array({parts.shape(0)}),
                           std::move(names).to_array({parts.shape(0)}));
}

auto means_of(const LearningTable& table) {
    Output<double> out(table.size());
    table.means(out.data());
    const auto columns = static_cast<std::size_t>(table.classes());
    return std::move(out).to_array({table.size() / columns, columns});
}

void check_classes(const Vector<std::int32_t>& given, std::size_t words, std::int32_t low,
                   std::int32_t high) {
    if (given.size() != words) {
        throw nb::value_error("one class a word");
    }
    for (std::size_t k = 0; k < words; ++k) {
        if (given.data()[k] < low || given.data()[k] >= high) {
            throw nb::value_error("there is no such class");
        }
    }
}

LearningTable new_table(int bits, int classes) {
    if (bits < 1 || bits > 24 || classes < 1 || classes > 1 << 12) {
        throw nb::value_error("tables have 1 to 24 bits and 1 to 4096 classes");
    }
    return {bits, classes};
}

class TaggerTrainer {
public:
    TaggerTrainer(int bits, int classes) : table_(new_table(bits, classes)) {}
    void learn(const Parts& parts, const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& tags) {
        check_rows(parts, offsets);
        check_classes(tags, parts.shape(0), 0, table_.classes());
        for_each_sentence(parts, offsets, [&](const WordRows& words, std::int64_t begin) {
            learn_tags(table_, words, tags.data() + begin);
        });
    }
    auto means() const { return means_of(table_); }

private:
    LearningTable table_;
};

class ParserTrainer {
public:
    ParserTrainer(int move_bits, int label_bits, int labels)
        : moves_(new_table(move_bits, transitions)), labels_(new_table(label_bits, labels)) {}
    void learn(const Parts& parts, const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& tags,
               const Vector<std::int32_t>& heads, const Vector<std::int32_t>& names, bool explore) {
        check_rows(parts, offsets);
        check_classes(tags, parts.shape(0), 0, 1 << 12);
        check_classes(names, parts.shape(0), 0, labels_.classes());
        check_classes(heads, parts.shape(0), -1, 1 << 30);
        for_each_sentence(parts, offsets, [&](const WordRows& words, std::int64_t begin) {
            for (std::int32_t k = 0; k < words.count; ++k) {
                if (heads.data()[begin + k] < -1 || heads.data()[begin + k] >= words.count) {
                    throw nb::value_error("a head lies outside its sentence");
                }
            }
        });
        for_each_sentence(parts, offsets, [&](const WordRows& words, std::int64_t begin) {
            learn_tree(moves_, labels_, words, tags.data() + begin, heads.data() + begin,
                       names.data() + begin, explore);
        });
    }
    auto means() const { return std::make_tuple(means_of(moves_), means_of(labels_)); }

private:
    LearningTable moves_;
    LearningTable labels_;
};

}  // namespace

void add_perceptron(nb::module_& module) {
    module.def("perceptron_tags", &perceptron_tags, "weights"_a, "parts"_a, "offsets"_a);
    module.def("perceptron_trees", &perceptron_trees, "moves"_a, "labels"_a, "parts"_a, "offsets"_a,
               "tags"_a);
    nb::class_<TaggerTrainer>(module, "TaggerTrainer")
        .def(nb::init<int, int>(), "bits"_a, "classes"_a)
        .def("learn", &TaggerTrainer::learn, "parts"_a, "offsets"_a, "tags"_a)
        .def("means", &TaggerTrainer::means);
    nb::class_<ParserTrainer>(module, "ParserTrainer")
        .def(nb::init<int, int, int>(), "move_bits"_a, "label_bits"_a, "labels"_a)
        .def("learn", &ParserTrainer::learn, "parts"_a, "offsets"_a, "tags"_a, "heads"_a, "names"_a,
             "explore"_a)
        .def("means", &ParserTrainer::means);
}

}  // namespace kilter
