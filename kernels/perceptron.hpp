// Linear classifiers over hashed features, and how they learn: the averaged perceptron [Collins 2002].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "argmax.hpp"
#include "work_vector.hpp"

namespace kilter {

// A feature is a hash of its template and values; a table has 2^bits rows of one weight for each class.
class Features {
public:
    // How values are hashed: the second way is as good and takes a third of the time, but a table knows the way
    // that it was learned with.
    enum class Way { first, second };

    void clear(Way way = Way::first) {
        hashes_.clear();
        way_ = way;
    }
    void add(std::uint64_t kind, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0) {
        if (way_ == Way::second) {
            hashes_.push_back(mix((kind + 1) * 0xd6e8feb86659fd93ULL + a * 0x9e3779b97f4a7c15ULL +
                                  (b + 1) * 0xbf58476d1ce4e5b9ULL + (c + 1) * 0x94d049bb133111ebULL));
            return;
        }
        std::uint64_t hash = mix(kind + 1);
        hash = mix(hash ^ (a + 0x9e3779b97f4a7c15ULL));
        hash = mix(hash ^ (b + 0xbf58476d1ce4e5b9ULL));
        hashes_.push_back(mix(hash ^ (c + 0x94d049bb133111ebULL)));
    }
    const std::vector<std::uint64_t>& hashes() const { return hashes_; }

private:
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }
    std::vector<std::uint64_t> hashes_;
    Way way_ = Way::first;
};

// Sums up the rows of features in a table of 2^bits rows: a score for each class.
void add_rows(const std::int8_t* weights, int bits, int classes, const std::uint64_t* hashes, std::size_t count,
              std::int32_t* scores);
void add_rows(const std::int32_t* weights, int bits, int classes, const std::uint64_t* hashes, std::size_t count,
              std::int32_t* scores);

// Trained weights, as they lie in a file.
struct PerceptronTable {
    const std::int8_t* weights;
    int bits;
    int classes;

    void score(const Features& features, std::vector<std::int32_t>& scores) const {
        scores.resize(static_cast<std::size_t>(classes));
        add_rows(weights, bits, classes, features.hashes().data(), features.hashes().size(), scores.data());
    }
};

// Weights while they are learned. The average over all steps is kept lazily: a weight's share is added
// when it changes.
class LearningTable {
public:
    LearningTable(int bits, int classes)
        : bits_(bits),
          classes_(classes),
          weights_((std::int64_t{1} << bits) * classes),
          totals_(weights_.size()),
          changed_(weights_.size()) {}

    void score(const Features& features, std::vector<std::int32_t>& scores) const {
        scores.resize(static_cast<std::size_t>(classes_));
        add_rows(weights_.data(), bits_, classes_, features.hashes().data(), features.hashes().size(),
                 scores.data());
    }

    void step() { ++steps_; }

    void learn(const Features& features, int right, int wrong) {
        for (const std::uint64_t hash : features.hashes()) {
            change(begin(hash) + right, 1);
            change(begin(hash) + wrong, -1);
        }
    }

    // Makes a class more or less likely where these features are seen.
    void add(const Features& features, int which, std::int32_t by) {
        for (const std::uint64_t hash : features.hashes()) {
            change(begin(hash) + which, by);
        }
    }

    // The mean weight over all steps, for each weight.
    void means(double* out) const {
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const auto total = static_cast<double>(
                totals_[k] + static_cast<std::int64_t>(weights_[k]) * (steps_ - changed_[k]));
            out[k] = steps_ > 0 ? total / static_cast<double>(steps_) : 0.0;
        }
    }

    std::size_t size() const { return weights_.size(); }
    int classes() const { return classes_; }

private:
    std::int64_t begin(std::uint64_t hash) const { return static_cast<std::int64_t>(hash >> (64 - bits_)) * classes_; }
    void change(std::int64_t k, std::int32_t by) {
        totals_[k] += static_cast<std::int64_t>(weights_[k]) * (steps_ - changed_[k]);
        changed_[k] = steps_;
        weights_[k] += by;
    }

    int bits_;
    int classes_;
    std::int64_t steps_ = 0;
    PlainVector<std::int32_t> weights_;
    PlainVector<std::int64_t> totals_;
    PlainVector<std::int64_t> changed_;
};

// What is known of each word: numbers of its form, endings, beginning and shape; in rows of more parts also of
// longer and shorter ones, and of the tags that it has had.
enum WordPart { form, ending3, ending2, ending1, beginning, shape, few_parts,
                ending4 = few_parts, beginning2, beginning4, had_tags, many_parts };

// The words of one sentence, one row of parts a word. The number of parts tells which features are looked at.
struct WordRows {
    const std::uint32_t* parts;
    std::int32_t count;
    std::size_t columns = few_parts;

    bool rich() const { return columns == many_parts; }
    Features::Way way() const { return rich() ? Features::Way::second : Features::Way::first; }

    std::uint64_t at(std::int32_t word, WordPart part) const {
        // Places before and after the sentence have numbers that no part has.
        if (word < 0 || word >= count) {
            return word < 0 ? 0x1'0000'0000ULL : 0x1'0000'0001ULL;
        }
        return parts[static_cast<std::size_t>(word) * columns + part];
    }
};

// The class with the greatest score.
inline int best_class(const std::vector<std::int32_t>& scores) {
    return static_cast<int>(argmax(scores.data(), scores.size()));
}

}  // namespace kilter
