#include "bleu_score.hpp"

#include <algorithm>
#include <cmath>

#include "watch.hpp"

namespace kilter {
namespace {

constexpr double kFloorMatches = 0.1;  // that kFloor assumes, sacreBLEU's default

// Sums logarithms as Python's sum() does.
class LogarithmSum {
public:
    void add(double value) {
        const double term = std::log(value);
        const double next = sum_ + term;
        lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
        sum_ = next;
    }
    double get(bool compensated) const {
        return compensated && lost_ != 0.0 && std::isfinite(lost_) ? sum_ + lost_ : sum_;
    }

private:
    double sum_ = 0.0;
    double lost_ = 0.0;
};

// 0 if no word matches, or if a precision that counts is 0.
double mean_precision(const double* correct, const double* total, int order,
                      const BleuOptions& options) {
    if (std::all_of(correct, correct + order, [](double matches) { return matches == 0.0; })) {
        return 0.0;
    }
    LogarithmSum sum;
    double halving = 1.0;
    int used = 0;
    for (; used < order; ++used) {
        const double added = options.smoothing == BleuSmoothing::kAddOne && used > 0 ? 1.0 : 0.0;
        double matches = correct[used] + added;
        double ngrams = total[used] + added;
        if (!(ngrams > 0.0)) {
            break;
        }
        if (matches == 0.0) {
            if (options.smoothing == BleuSmoothing::kExponential) {
                halving *= 2.0;
                ngrams *= halving;
                matches = 1.0;
            } else if (options.smoothing == BleuSmoothing::kFloor) {
                matches = kFloorMatches;
            } else {
                return 0.0;
            }
        }
        sum.add(100.0 * matches / ngrams);
    }
    if (used == 0 || (used < order && !options.effective)) {
        return 0.0;
    }
    return std::exp(sum.get(options.compensated) / static_cast<double>(used));
}

}  // namespace

void bleu_scores(const double* rows, std::int64_t count, int order, const BleuOptions& options,
                 double* scores) {
    Pace pace;
    for (std::int64_t row = 0; row < count; ++row, rows += 2 + 2 * order) {
        pace.work(32 * (order + 1));
        const double length = rows[0];
        const double reference = rows[1];
        double score = mean_precision(rows + 2, rows + 2 + order, order, options);
        if (length < reference && score > 0.0) {
            score = std::exp(1.0 - reference / length) * score;
        }
        scores[row] = std::min(score / 100.0, 1.0);
    }
}

}  // namespace kilter
