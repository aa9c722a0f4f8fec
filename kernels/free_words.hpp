// Words of sentence pairs that no stage of the matcher has linked yet, and pairs of them.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "batch.hpp"
#include "match.hpp"
#include "threads.hpp"
#include "work_vector.hpp"

namespace kilter {

// The free words of one sentence pair, if both sides have some; positions ascend.
class FreeWords {
public:
    // False where a side has no free word; then nothing is listed.
    bool list(const Batch& first, const Batch& second, const EarlierLinks& links,
              std::int64_t segment) {
        rows.clear();
        cols.clear();
        const std::int64_t count = links.offsets[segment + 1] - links.offsets[segment];
        const std::int64_t height = first.length(segment);
        const std::int64_t width = second.length(segment);
        if (count >= height || count >= width) {
            return false;
        }
        partner_.assign(height + 2, -2);
        taken_.assign(width, 0);
        for (std::int64_t k = links.offsets[segment]; k < links.offsets[segment + 1]; ++k) {
            partner_[links.links[2 * k] + 1] = links.links[2 * k + 1];
            taken_[links.links[2 * k + 1]] = 1;
        }
        for (std::int32_t row = 0; row < height; ++row) {
            if (partner_[row + 1] < 0) {
                rows.push_back(row);
            }
        }
        for (std::int32_t col = 0; col < width; ++col) {
            if (taken_[col] == 0) {
                cols.push_back(col);
            }
        }
        return true;
    }

    // How many of the words before both and the words after both are linked with one another: 0 to 2.
    int neighbours(std::int32_t row, std::int32_t col) const {
        const auto at = static_cast<std::size_t>(row);
        return (partner_[at] == col - 1 ? 1 : 0) + (partner_[at + 2] == col + 1 ? 1 : 0);
    }

    PlainVector<std::int32_t> rows;
    PlainVector<std::int32_t> cols;

private:
    // By row + 1, with a place before and after; -2 for no link, which is no column's neighbour.
    PlainVector<std::int32_t> partner_;
    PlainVector<std::uint8_t> taken_;
};

// Pairs of words that may be linked: positions (first, second), sorted by segment, how strong each is, and
// where each segment's begin.
struct WordCells {
    PlainVector<std::int32_t> cells;
    PlainVector<std::int64_t> offsets;
    PlainVector<double> strengths;
};

// Calls find(segment, free words, add) for every segment with free words on both sides, where
// add(row, col, strength) takes a pair; rows ascend, and columns in a row.
template <class Find>
WordCells collect_cells(const Batch& first, const Batch& second, const EarlierLinks& links, int jobs,
                        Find find) {
    WordCells all;
    all.offsets.assign(first.segments + 1, 0);
    std::mutex mutex;
    std::map<std::int64_t, WordCells> parts;  // by first segment
    for_each_block(first.offsets, first.segments, jobs, [&](std::int64_t from, std::int64_t to) {
        WordCells own;
        FreeWords free;
        Pace pace;
        for (std::int64_t s = from; s < to; ++s) {
            pace.work(first.length(s) + second.length(s) + 1);
            if (!free.list(first, second, links, s)) {
                continue;
            }
            pace.work(4 * static_cast<std::int64_t>(free.rows.size() * free.cols.size()));
            const std::size_t before = own.strengths.size();
            find(s, free, [&own](std::int32_t row, std::int32_t col, double strength) {
                own.cells.push_back(row);
                own.cells.push_back(col);
                own.strengths.push_back(strength);
            });
            all.offsets[s + 1] =
                static_cast<std::int64_t>(own.strengths.size() - before);
        }
        if (from < to) {  // empty blocks begin where others do
            const std::lock_guard lock(mutex);
            parts.emplace(from, std::move(own));
        }
    });
    for (std::size_t s = 1; s < all.offsets.size(); ++s) {
        all.offsets[s] += all.offsets[s - 1];
    }
    for (const auto& [from, part] : parts) {
        all.cells.insert(all.cells.end(), part.cells.begin(), part.cells.end());
        all.strengths.insert(all.strengths.end(), part.strengths.begin(), part.strengths.end());
    }
    return all;
}

}  // namespace kilter
