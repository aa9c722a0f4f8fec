// The perceptron tagger and parser: running and learning.
#include "bindings/checked.hpp"
#include "bindings/guarded.hpp"

#include "arc_beam.hpp"
#include "arc_hybrid.hpp"
#include "arc_state.hpp"
#include "perceptron_tagger.hpp"

namespace kilter {
namespace {

using Parts = Matrix<std::uint32_t>;

constexpr int kMostClasses = 1 << 12;
constexpr int kWidestBeam = 1024;
constexpr std::int64_t kMostWeights = std::int64_t{1} << 28;

// Weights are not copied, because a model has hundreds of megabytes of them: any weight is a weight, and one
// that changes meanwhile changes an answer but reads nothing that is not there.
PerceptronTable as_table(const Matrix<std::int8_t>& weights) {
    int bits = 0;
    while ((std::size_t{1} << bits) < weights.shape(0)) {
        ++bits;
    }
    if (bits < 1 || (std::size_t{1} << bits) != weights.shape(0) || weights.shape(1) == 0 ||
        weights.shape(1) > kMostClasses) {
        refuse("a table has a power of two of rows, and 1 to 4096 columns");
    }
    return {weights.data(), bits, static_cast<int>(weights.shape(1))};
}

// Rows of parts of the words of many sentences.
class Sentences {
public:
    Sentences(const Parts& parts, const Longs& offsets)
        : columns_(checked_columns(parts)), parts_(parts), offsets_(offsets, parts.shape(0), "offsets") {}

    std::size_t words() const { return parts_.size() / columns_; }
    template <class Each>
    void for_each(Each each) const {
        for (std::int64_t s = 0; s < offsets_.segments(); ++s) {
            const std::int64_t begin = offsets_[s];
            each(WordRows{parts_.data() + static_cast<std::size_t>(begin) * columns_,
                          static_cast<std::int32_t>(offsets_.length(s)), columns_},
                 begin);
        }
    }

private:
    static std::size_t checked_columns(const Parts& parts) {
        if (parts.shape(1) != few_parts && parts.shape(1) != many_parts) {
            refuse("a word has " + std::to_string(parts.shape(1)) + " parts; it must have " +
                   std::to_string(few_parts) + " or " + std::to_string(many_parts));
        }
        return parts.shape(1);
    }

    std::size_t columns_;
    Copy<std::uint32_t> parts_;
    Offsets offsets_;
};

// A class of each word, below `classes`.
Copy<std::int32_t> as_classes(const Ints& given, std::size_t words, std::int32_t classes, const char* name) {
    if (given.size() != words) {
        refuse(std::string(name) + " has " + std::to_string(given.size()) + " entries for " + std::to_string(words) +
               " words");
    }
    Copy<std::int32_t> found(given);
    found.check_within(0, classes - 1, name);
    return found;
}

auto perceptron_tags(const Matrix<std::int8_t>& weights, const Parts& parts, const Longs& offsets) {
    Output<std::int32_t> tags = unlocked([&] {
        const PerceptronTable table = as_table(weights);
        const Sentences sentences(parts, offsets);
        Output<std::int32_t> found(sentences.words());
        sentences.for_each(
            [&](const WordRows& words, std::int64_t begin) { tag_words(table, words, found.data() + begin); });
        return found;
    });
    return std::move(tags).to_array({parts.shape(0)});
}

auto perceptron_trees(const Matrix<std::int8_t>& moves, const Matrix<std::int8_t>& labels, const Parts& parts,
                      const Longs& offsets, const Ints& tags) {
    auto [heads, names] = unlocked([&] {
        const PerceptronTable move_table = as_table(moves);
        const PerceptronTable label_table = as_table(labels);
        if (move_table.classes != transitions) {
            refuse("the table of moves has one column for each of the three");
        }
        const Sentences sentences(parts, offsets);
        const Copy<std::int32_t> classes = as_classes(tags, sentences.words(), kMostClasses, "tags");
        Output<std::int32_t> found(sentences.words());
        Output<std::int32_t> named(sentences.words());
        sentences.for_each([&](const WordRows& words, std::int64_t begin) {
            parse_words(move_table, label_table, words, classes.data() + begin, found.data() + begin,
                        named.data() + begin);
        });
        return std::make_pair(std::move(found), std::move(named));
    });
    return std::make_tuple(std::move(heads).to_array({parts.shape(0)}), std::move(names).to_array({parts.shape(0)}));
}

int as_width(int given, const char* name) {
    if (given < 1 || given > kWidestBeam) {
        refuse(std::string(name) + " is " + std::to_string(given) + "; it must be 1 to " + std::to_string(kWidestBeam));
    }
    return given;
}

template <class T>
auto as_output(const std::vector<T>& found) {
    Output<T> out(found.size());
    std::copy(found.begin(), found.end(), out.data());
    return out;
}

auto perceptron_beam_trees(const Matrix<std::int8_t>& moves, const Matrix<std::int8_t>& labels, const Parts& parts,
                           const Longs& offsets, const Ints& tags, Int width, Int alternatives, Int most) {
    std::vector<std::int32_t> heads, names;
    std::vector<std::int64_t> counts, scores;
    unlocked([&] {
        const PerceptronTable move_table = as_table(moves);
        const PerceptronTable label_table = as_table(labels);
        if (move_table.classes != transitions) {
            refuse("the table of moves has one column for each of the three");
        }
        const BeamSettings settings{as_width(width, "width"), as_width(alternatives, "alternatives")};
        const auto wanted = static_cast<std::size_t>(as_width(most, "most"));
        const Sentences sentences(parts, offsets);
        const Copy<std::int32_t> classes = as_classes(tags, sentences.words(), kMostClasses, "tags");
        sentences.for_each([&](const WordRows& words, std::int64_t begin) {
            const auto trees = beam_trees(move_table, label_table, words, classes.data() + begin, settings, wanted);
            counts.push_back(static_cast<std::int64_t>(trees.size()));
            for (const ScoredTree& tree : trees) {
                heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
                names.insert(names.end(), tree.names.begin(), tree.names.end());
                scores.push_back(tree.score);
            }
        });
        return true;
    });
    return std::make_tuple(as_output(heads).to_array({heads.size()}), as_output(names).to_array({names.size()}),
                           as_output(counts).to_array({counts.size()}), as_output(scores).to_array({scores.size()}));
}

auto means_of(const LearningTable& table) {
    Output<double> out(table.size());
    table.means(out.data());
    return out;
}

auto to_table(Output<double>&& means, std::size_t size, int classes) {
    const auto columns = static_cast<std::size_t>(classes);
    return std::move(means).to_array({size / columns, columns});
}

LearningTable new_table(int bits, int classes) {
    if (bits < 1 || bits > 24 || classes < 1 || classes > kMostClasses ||
        (std::int64_t{classes} << bits) > kMostWeights) {
        refuse("tables have 1 to 24 bits, 1 to 4096 classes, and 268435456 weights at most");
    }
    return {bits, classes};
}

// Sentences to learn from, with the right tags.
struct Lesson {
    Lesson(const Parts& parts, const Longs& offsets, const Ints& right, std::int32_t classes)
        : sentences(parts, offsets), tags(as_classes(right, sentences.words(), classes, "tags")) {}

    Sentences sentences;
    Copy<std::int32_t> tags;
};

// The same with the right trees, whose heads are as many as words because they share the offsets.
struct TreeLesson : Lesson {
    TreeLesson(const Parts& parts, const Longs& offsets, const Ints& right, const Ints& heads, const Ints& labels,
               std::int32_t classes)
        : Lesson(parts, offsets, right, kMostClasses),
          trees(heads, offsets, Trees::Roots::kAny),
          names(as_classes(labels, sentences.words(), classes, "names")) {
        if (trees.size() != sentences.words()) {  // the caller's offsets may have changed in between
            refuse("heads has " + std::to_string(trees.size()) + " entries for " + std::to_string(sentences.words()) +
                   " words");
        }
    }

    Trees trees;
    Copy<std::int32_t> names;
};

class TaggerTrainer {
public:
    TaggerTrainer(Int bits, Int classes) : classes_(classes), table_(new_table(bits, classes)) {}

    void learn(const Parts& parts, const Longs& offsets, const Ints& tags) {
        const Lesson lesson = unlocked([&] { return Lesson(parts, offsets, tags, classes_); });
        table_.use([&](LearningTable& table) {
            lesson.sentences.for_each([&](const WordRows& words, std::int64_t begin) {
                learn_tags(table, words, lesson.tags.data() + begin);
            });
            return true;
        });
    }
    auto means() {
        auto [means, size] =
            table_.use([](LearningTable& table) { return std::make_pair(means_of(table), table.size()); });
        return to_table(std::move(means), size, classes_);
    }

private:
    int classes_;
    Guarded<LearningTable> table_;
};

struct ParserTables {
    ParserTables(LearningTable&& for_moves, LearningTable&& for_labels)
        : moves(std::move(for_moves)), labels(std::move(for_labels)) {}
    LearningTable moves;
    LearningTable labels;
};

class ParserTrainer {
public:
    ParserTrainer(Int move_bits, Int label_bits, Int labels)
        : labels_(labels), tables_(new_table(move_bits, transitions), new_table(label_bits, labels)) {}

    void learn(const Parts& parts, const Longs& offsets, const Ints& tags, const Ints& heads, const Ints& names,
               bool explore) {
        const TreeLesson lesson = unlocked([&] { return TreeLesson(parts, offsets, tags, heads, names, labels_); });
        tables_.use([&](ParserTables& tables) {
            lesson.sentences.for_each([&](const WordRows& words, std::int64_t begin) {
                learn_tree(tables.moves, tables.labels, words, lesson.tags.data() + begin,
                           lesson.trees.rows().values + begin, lesson.names.data() + begin, explore);
            });
            return true;
        });
    }
    void learn_beam(const Parts& parts, const Longs& offsets, const Ints& tags, const Ints& heads, const Ints& names,
                    Int width) {
        const int kept = as_width(width, "width");
        const TreeLesson lesson = unlocked([&] { return TreeLesson(parts, offsets, tags, heads, names, labels_); });
        tables_.use([&](ParserTables& tables) {
            lesson.sentences.for_each([&](const WordRows& words, std::int64_t begin) {
                kilter::learn_beam(tables.moves, tables.labels, words, lesson.tags.data() + begin,
                                   lesson.trees.rows().values + begin, lesson.names.data() + begin, kept);
            });
            return true;
        });
    }
    auto means() {
        auto [moves, labels, move_size, label_size] = tables_.use([](ParserTables& tables) {
            return std::make_tuple(means_of(tables.moves), means_of(tables.labels), tables.moves.size(),
                                   tables.labels.size());
        });
        return std::make_tuple(to_table(std::move(moves), move_size, transitions),
                               to_table(std::move(labels), label_size, labels_));
    }

private:
    int labels_;
    Guarded<ParserTables> tables_;
};

}  // namespace

void add_perceptron(nb::module_& module) {
    module.def("perceptron_tags", &perceptron_tags, "weights"_a, "parts"_a, "offsets"_a,
               "Return the tag of each word.");
    module.def("perceptron_trees", &perceptron_trees, "moves"_a, "labels"_a, "parts"_a, "offsets"_a, "tags"_a,
               "Return head and label of each word; one root a sentence, -1.");
    module.def("perceptron_beam_trees", &perceptron_beam_trees, "moves"_a, "labels"_a, "parts"_a, "offsets"_a, "tags"_a,
               "width"_a, "alternatives"_a, "most"_a,
               "Return heads and labels of the best trees of each sentence, how many there are, and their scores.");
    nb::class_<TaggerTrainer>(module, "TaggerTrainer", "Learns the weights of a tagger.")
        .def(nb::init<Int, Int>(), "bits"_a, "classes"_a)
        .def("learn", &TaggerTrainer::learn, "parts"_a, "offsets"_a, "tags"_a,
             "Tag sentences and learn from every mistake.")
        .def("means", &TaggerTrainer::means, "Return the mean weights over all steps.");
    nb::class_<ParserTrainer>(module, "ParserTrainer", "Learns the weights of a parser.")
        .def(nb::init<Int, Int, Int>(), "move_bits"_a, "label_bits"_a, "labels"_a)
        .def("learn", &ParserTrainer::learn, "parts"_a, "offsets"_a, "tags"_a, "heads"_a, "names"_a, "explore"_a,
             "Parse sentences and learn from every mistake.")
        .def("learn_beam", &ParserTrainer::learn_beam, "parts"_a, "offsets"_a, "tags"_a, "heads"_a, "names"_a,
             "width"_a, "Parse sentences with a beam and learn when the right parse falls out of it.")
        .def("means", &ParserTrainer::means, "Return the mean weights of moves and of labels over all steps.");
}

}  // namespace kilter
