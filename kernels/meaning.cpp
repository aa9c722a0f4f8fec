#include "meaning.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "exponential.hpp"
#include "multiversion.hpp"
#include "row_product.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Of one vector with itself the square root is exact, so that equal words have a cosine of exactly 1.
double cosine(float product, double first_square, double second_square) {
    const double size = std::sqrt(first_square * second_square);
    return size > 0.0 ? std::clamp(static_cast<double>(product) / size, -1.0, 1.0) : 0.0;
}

// The squares of all words' vectors, and of the sum of the unit vectors of a word and the next.
class Squares {
public:
    explicit Squares(const SentenceVectors& vectors) {
        const auto words = static_cast<std::size_t>(vectors.offsets[vectors.sentences]);
        words_.resize(words);
        for (std::size_t i = 0; i < words; ++i) {
            words_[i] = product(vectors, i, i);
        }
        bigrams_.assign(words, 0.0);
        for (std::size_t i = 0; i + 1 < words; ++i) {  // those that cross two sentences are not looked at
            bigrams_[i] = 2.0 + 2.0 * cosine(product(vectors, i, i + 1), words_[i], words_[i + 1]);
            pace_.work(static_cast<std::int64_t>(vectors.columns / 4 + 1));
        }
    }
    const double* words(std::int64_t row) const { return words_.data() + row; }
    const double* bigrams(std::int64_t row) const { return bigrams_.data() + row; }

private:
    static float product(const SentenceVectors& vectors, std::size_t left, std::size_t right) {
        float found = 0.0F;
        row_products(vectors.values + left * vectors.columns, 1, vectors.values + right * vectors.columns, 1,
                     vectors.columns, &found);
        return found;
    }

    WorkVector<double> words_;
    WorkVector<double> bigrams_;
    Pace pace_;
};

// Turns cosines into the e of the header, row by row.
KILTER_MULTIVERSION void sharpen(const double* cosines, std::size_t rows, std::size_t columns,
                                 const MeaningOptions& options, double* out) {
    const double half = options.context / 2.0;
    for (std::size_t i = 0; i < rows; ++i) {
        const double place = static_cast<double>(i) / static_cast<double>(rows);
        const double* own = cosines + i * columns;
        double* found = out + i * columns;
        for (std::size_t j = 0; j < columns; ++j) {
            const double other = static_cast<double>(j) / static_cast<double>(columns);
            found[j] = own[j] - options.position * std::fabs(place - other);
        }
        if (i > 0) {
            const double* above = own - columns;
            for (std::size_t j = 1; j < columns; ++j) {
                found[j] += half * above[j - 1];
            }
        }
        if (i + 1 < rows) {
            for (std::size_t j = 0; j + 1 < columns; ++j) {
                found[j] += half * own[j + 1 + columns];
            }
        }
        for (std::size_t j = 0; j < columns; ++j) {
            found[j] = exponential((found[j] - 1.0) / options.temperature);
        }
    }
}

// Room for one pair at a time.
class Table {
public:
    Table(const SentenceVectors& vectors, const Squares& squares, const MeaningOptions& options)
        : vectors_(vectors),
          squares_(squares),
          options_(options),
          least_(exponential((options.floor - 1.0) / options.temperature)) {}

    void fill(std::int64_t first, std::int64_t second, float* first_words, float* second_words, double* totals) {
        rows_ = static_cast<std::size_t>(vectors_.length(first));
        columns_ = static_cast<std::size_t>(vectors_.length(second));
        std::fill(first_words, first_words + rows_ * kFirstColumns, 0.0F);
        std::fill(second_words, second_words + columns_ * kSecondColumns, 0.0F);
        std::fill(totals, totals + kTotalColumns, 0.0);
        if (rows_ == 0 || columns_ == 0) {
            return;
        }
        compare(first, second);
        find_best(first_words, second_words);
        find_bigrams(squares_.bigrams(vectors_.offsets[first]), squares_.bigrams(vectors_.offsets[second]),
                     second_words);
        sharpen(cosines_.data(), rows_, columns_, options_, masses_.data());
        find_masses(first_words, second_words, totals);
        count_pairs(first_words, totals);
        pace_.work(static_cast<std::int64_t>(rows_ * columns_ * (vectors_.columns / 8 + 16)));
    }

private:
    void compare(std::int64_t first, std::int64_t second) {
        const std::size_t cells = rows_ * columns_;
        products_.resize(cells);
        cosines_.resize(cells);
        masses_.resize(cells);
        const double* first_squares = squares_.words(vectors_.offsets[first]);
        const double* second_squares = squares_.words(vectors_.offsets[second]);
        row_products(vectors_.rows(first), rows_, vectors_.rows(second), columns_, vectors_.columns,
                     products_.data());
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t j = 0; j < columns_; ++j) {
                const std::size_t at = i * columns_ + j;
                cosines_[at] = cosine(products_[at], first_squares[i], second_squares[j]);
            }
        }
    }

    void find_best(float* first_words, float* second_words) {
        best_.assign(columns_, -1.0);
        for (std::size_t i = 0; i < rows_; ++i) {
            double own = -1.0;
            for (std::size_t j = 0; j < columns_; ++j) {
                const double found = cosines_[i * columns_ + j];
                own = std::max(own, found);
                best_[j] = std::max(best_[j], found);
            }
            first_words[i * kFirstColumns + kPrecision] = static_cast<float>(own);
        }
        for (std::size_t j = 0; j < columns_; ++j) {
            second_words[j * kSecondColumns + kRecall] = static_cast<float>(best_[j]);
        }
    }

    // The product of two sums of unit vectors is the sum of four cosines; added up so that equal bigrams
    // have a cosine of exactly 1.
    void find_bigrams(const double* first_squares, const double* second_squares, float* second_words) {
        if (rows_ < 2) {
            return;
        }
        for (std::size_t j = 0; j + 1 < columns_; ++j) {
            double best = -1.0;
            for (std::size_t i = 0; i + 1 < rows_; ++i) {
                const double* cell = cosines_.data() + i * columns_ + j;
                const double product = (cell[0] + cell[columns_ + 1]) + (cell[1] + cell[columns_]);
                const double size = std::sqrt(first_squares[i] * second_squares[j]);
                best = std::max(best, size > 0.0 ? std::min(product / size, 1.0) : 0.0);
            }
            second_words[j * kSecondColumns + kBigram] = static_cast<float>(best);
        }
    }

    // Makes q of e, and adds it up.
    void find_masses(float* first_words, float* second_words, double* totals) {
        best_.assign(columns_, least_);
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t j = 0; j < columns_; ++j) {
                best_[j] += masses_[i * columns_ + j];
            }
        }
        sums_.assign(columns_, 0.0);
        for (std::size_t i = 0; i < rows_; ++i) {
            double* row = masses_.data() + i * columns_;
            double whole = least_;
            for (std::size_t j = 0; j < columns_; ++j) {
                whole += row[j];
            }
            double own = 0.0;
            for (std::size_t j = 0; j < columns_; ++j) {
                row[j] = (row[j] / whole) * (row[j] / best_[j]);
                own += row[j];
                sums_[j] += row[j];
                totals[kSquared] += row[j] * row[j];
            }
            totals[kLinked] += own;
            first_words[i * kFirstColumns + kFirstLinked] = static_cast<float>(own);
        }
        for (std::size_t j = 0; j < columns_; ++j) {
            second_words[j * kSecondColumns + kSecondLinked] = static_cast<float>(sums_[j]);
        }
    }

    // Once from the first row on and once from the last back, with the sums of columns passed so far.
    void count_pairs(float* first_words, double* totals) {
        own_.assign(rows_ * 2, 0.0);
        sums_.assign(columns_, 0.0);
        for (std::size_t i = 0; i < rows_; ++i) {
            const Turned found = turned(i);
            totals[kConcordant] += found.left;
            totals[kDiscordant] += found.right;
            own_[2 * i] = found.left;
            own_[2 * i + 1] = found.right;
        }
        sums_.assign(columns_, 0.0);
        for (std::size_t i = rows_; i-- > 0;) {
            const Turned found = turned(i);
            first_words[i * kFirstColumns + kFirstConcordant] = static_cast<float>(own_[2 * i] + found.right);
            first_words[i * kFirstColumns + kFirstDiscordant] = static_cast<float>(own_[2 * i + 1] + found.left);
        }
    }

    struct Turned {
        double left;
        double right;
    };
    // The mass of pairs of a link of row i and one passed so far that is left, or right of it; passes row i.
    Turned turned(std::size_t i) {
        const double* row = masses_.data() + i * columns_;
        Turned found{0.0, 0.0};
        double passed = 0.0;
        for (std::size_t j = 0; j < columns_; ++j) {
            found.left += row[j] * passed;
            passed += sums_[j];
        }
        passed = 0.0;
        for (std::size_t j = columns_; j-- > 0;) {
            found.right += row[j] * passed;
            passed += sums_[j];
        }
        for (std::size_t j = 0; j < columns_; ++j) {
            sums_[j] += row[j];
        }
        return found;
    }

    const SentenceVectors& vectors_;
    const Squares& squares_;
    const MeaningOptions& options_;
    double least_;  // e0
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    WorkVector<float> products_;
    WorkVector<double> cosines_, masses_, best_, sums_, own_;
    Pace pace_;
};

}  // namespace

void meanings(const SentenceVectors& vectors, const SentencePairs& pairs, const MeaningOptions& options, int jobs,
              float* first_words, float* second_words, double* totals) {
    const Squares squares(vectors);
    for_each_block(pairs.first_rows, pairs.count, jobs, [&](std::int64_t first, std::int64_t last) {
        Table table(vectors, squares, options);
        for (std::int64_t p = first; p < last; ++p) {
            table.fill(pairs.firsts[p], pairs.seconds[p],
                       first_words + static_cast<std::size_t>(pairs.first_rows[p]) * kFirstColumns,
                       second_words + static_cast<std::size_t>(pairs.second_rows[p]) * kSecondColumns,
                       totals + static_cast<std::size_t>(p) * kTotalColumns);
        }
    });
}

}  // namespace kilter
