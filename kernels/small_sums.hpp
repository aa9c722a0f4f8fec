// Sums of small whole numbers over resampled segments: how often each is drawn times its values.
#pragma once

#include <cstdint>
#include <vector>

namespace kilter {

// How often a few resamples draw each segment, laid out for `SmallColumns`.
class DrawCounts {
public:
    static constexpr int kResamples = 6;

    explicit DrawCounts(std::int64_t segments);

    // Forgets all draws.
    void clear();
    // Counts the places that a resample draws, 0 <= resample < kResamples.
    void add(int resample, const std::uint32_t* places, std::int64_t count);

private:
    friend class SmallColumns;

    // A draw beyond this count is kept by itself. Hardly a segment is drawn more often, yet common
    // data does reach the limit, so that both ways are in use.
    static constexpr std::int16_t kMostCounted = 7;
    struct Extra {
        int resample;
        std::uint32_t place;
    };

    // counts_[(place / 2 * kResamples + resample) * 2 + place % 2]
    std::vector<std::int16_t> counts_;
    std::vector<Extra> extras_;
};

// Columns of numbers that fit 16 bits, summed as a matrix product: two segments of a column and their
// counts take one multiplication of 32 bits.
class SmallColumns {
public:
    explicit SmallColumns(std::int64_t segments) : segments_(segments) {}

    // Whether sums over as many draws as there are segments of numbers up to `largest` fit 32 bits.
    static bool fits(std::int64_t largest, std::int64_t segments);

    // Appends a column of numbers that fit.
    void add(const std::vector<std::int64_t>& values, int shift);
    std::int64_t size() const { return size_; }

    // sums[resample * size() + column] of every column for all of the counted resamples.
    void sum(const DrawCounts& counts, std::int32_t* sums) const;

private:
    static constexpr int kColumns = 16;  // of a tile: one cache line for every two segments
    struct alignas(64) Line {
        std::int16_t values[2 * kColumns] = {};  // values[column * 2 + place % 2]
    };
    using Tile = std::vector<Line>;

    static void product_anywhere(const Tile& tile, const DrawCounts& counts, std::int32_t* sums);
#if defined(__x86_64__)
    static void product_avx2(const Tile& tile, const DrawCounts& counts, std::int32_t* sums);
    static void product_vnni(const Tile& tile, const DrawCounts& counts, std::int32_t* sums);
#endif

    std::int64_t segments_;
    std::int64_t size_ = 0;
    std::vector<Tile> tiles_;
};

}  // namespace kilter
