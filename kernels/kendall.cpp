#include "kendall.hpp"

#include <bit>

#include "inversions.hpp"
#include "multiversion.hpp"
#include "permutation_window.hpp"
#include "short_scores.hpp"
#include "threads.hpp"

namespace kilter {
namespace {

// One popcount per word: the set of values seen so far, shifted so that only larger ones remain. False where a
// short segment is no permutation.
KILTER_MULTIVERSION
bool score_block(const Batch& batch, std::int64_t first, std::int64_t last, double empty,
                 double* scores, InversionCounter& counter) {
    for (std::int64_t s = first; s < last; ++s) {
        const std::int32_t* p = batch.values + batch.offsets[s];
        const std::int64_t n = batch.offsets[s + 1] - batch.offsets[s];
        if (n == 0) {
            scores[s] = empty;
            continue;
        }
        std::int64_t inversions = 0;
        if (n <= kShortLength) {
            std::uint64_t seen = 0;
            for (std::int64_t i = 0; i < n; ++i) {
                inversions += std::popcount(seen >> p[i]);
                seen |= std::uint64_t{1} << p[i];
            }
            if (seen != ~std::uint64_t{0} >> (64 - n)) {
                return false;
            }
        } else {
            inversions = counter.count(p, n);
        }
        const auto pairs = static_cast<double>(n * (n - 1) / 2);
        scores[s] = n == 1 ? 1.0 : (pairs - static_cast<double>(inversions)) / pairs;
    }
    return true;
}

}  // namespace

void score_batch_kendall(const Batch& batch, double empty, int jobs, double* scores) {
    for_each_block(batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
        InversionCounter counter;
        const auto check = PermutationWindow::Check::kWords;
        for_each_window(batch, first, last, check, [&](const Batch& part, std::int64_t at) {
            return score_block(part, 0, part.segments, empty, scores + at, counter);
        });
    });
}

}  // namespace kilter
