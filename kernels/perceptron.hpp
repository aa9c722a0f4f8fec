// Linear classifiers over hashed features, and how they learn: the averaged perceptron [Collins 2002].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kilter {

// A feature is a hash of its template and values; a table has 2^bits rows of one weight for each class.
class Features {
public:
    void clear() { hashes_.clear(); }
    void add(std::uint64_t kind, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0) {
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
};

// Trained weights, as they lie in a file.
struct PerceptronTable {
    const std::int8_t* weights;
    int bits;
    int classes;

    void score(const Features& features, std::vector<std::int32_t>& scores) const {
        scores.assign(static_cast<std::size_t>(classes), 0);
        for (const std::uint64_t hash : features.hashes()) {
            const std::int8_t* row = weights + (hash >> (64 - bits)) * static_cast<std::size_t>(classes);
            for (int c = 0; c < classes; ++c) {
                scores[static_cast<std::size_t>(c)] += row[c];
            }
        }
    }
};

// Weights while they are learned. The average over all steps is kept lazily: a weight's share is added
// when it changes.
class LearningTable {
public:
    LearningTable(int bits, int classes)
        : bits_(bits),
          classes_(classes),
          weights_((std::size_t{1} << bits) * static_cast<std::size_t>(classes)),
          totals_(weights_.size()),
          changed_(weights_.size()) {}

    void score(const Features& features, std::vector<std::int32_t>& scores) const {
        scores.assign(static_cast<std::size_t>(classes_), 0);
        for (const std::uint64_t hash : features.hashes()) {
            const std::int32_t* row = weights_.data() + begin(hash);
            for (int c = 0; c < classes_; ++c) {
                scores[static_cast<std::size_t>(c)] += row[c];
            }
        }
    }

    void step() { ++steps_; }

    void learn(const Features& features, int right, int wrong) {
        for (const std::uint64_t hash : features.hashes()) {
            change(begin(hash) + static_cast<std::size_t>(right), 1);
            change(begin(hash) + static_cast<std::size_t>(wrong), -1);
        }
    }

    // Makes a class more or less likely where these features are seen.
    void add(const Features& features, int which, std::int32_t by) {
        for (const std::uint64_t hash : features.hashes()) {
            change(begin(hash) + static_cast<std::size_t>(which), by);
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
    std::size_t begin(std::uint64_t hash) const {
        return (hash >> (64 - bits_)) * static_cast<std::size_t>(classes_);
    }
    void change(std::size_t k, std::int32_t by) {
        totals_[k] += static_cast<std::int64_t>(weights_[k]) * (steps_ - changed_[k]);
        changed_[k] = steps_;
        weights_[k] += by;
    }

    int bits_;
    int classes_;
    std::int64_t steps_ = 0;
    std::vector<std::int32_t> weights_;
    std::vector<std::int64_t> totals_;
    std::vector<std::int64_t> changed_;
};

// What is known of each word: numbers of its form, endings, beginning and shape.
enum WordPart { form, ending3, ending2, ending1, beginning, shape, word_parts };

// The words of one sentence, one row of parts a word.
struct WordRows {
    const std::uint32_t* parts;
    std::int32_t count;

    std::uint64_t at(std::int32_t word, WordPart part) const {
        // Places before and after the sentence have numbers that no part has.
        if (word < 0 || word >= count) {
            return word < 0 ? 0x1'0000'0000ULL : 0x1'0000'0001ULL;
        }
        return parts[static_cast<std::size_t>(word) * word_parts + part];
    }
};

// The best class; the first of equally good ones.
inline int best_class(const std::vector<std::int32_t>& scores) {
    int best = 0;
    for (int c = 1; c < static_cast<int>(scores.size()); ++c) {
        if (scores[static_cast<std::size_t>(c)] > scores[static_cast<std::size_t>(best)]) {
            best = c;
        }
    }
    return best;
}

}  // namespace kilter
