#include "philox.hpp"

#include <algorithm>
#include <bit>

#include "multiversion.hpp"

namespace kilter {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kMultiplier0 = 0xD2E7470EE14C6C93;
constexpr std::uint64_t kMultiplier1 = 0xCA5A826395121157;
constexpr std::uint64_t kWeyl0 = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kWeyl1 = 0xBB67AE8584CAA73B;
constexpr int kRounds = 10;
constexpr int kCoinsPerBlock = 256;

KILTER_INLINE Word4 mix(const Word4& counter, std::uint64_t seed) {
    auto [x0, x1, x2, x3] = counter;
    std::uint64_t key0 = seed;
    std::uint64_t key1 = 0;
#pragma GCC unroll 10
    for (int round = 0; round < kRounds; ++round) {
        const Wide product0 = Wide{kMultiplier0} * x0;
        const Wide product1 = Wide{kMultiplier1} * x2;
        x0 = static_cast<std::uint64_t>(product1 >> 64) ^ x1 ^ key0;
        x1 = static_cast<std::uint64_t>(product1);
        x2 = static_cast<std::uint64_t>(product0 >> 64) ^ x3 ^ key1;
        x3 = static_cast<std::uint64_t>(product0);
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
    return {x0, x1, x2, x3};
}

// 32 random bits times the size: the place in the upper half; the lower half says whether to keep it.
KILTER_INLINE std::uint64_t spread(const Word4& words, int k, std::uint32_t size) {
    return (words[static_cast<std::size_t>(k / 2)] >> (k % 2 * 32) & 0xFFFFFFFF) * size;
}

std::uint32_t redraw(std::uint64_t seed, std::uint32_t resample, std::uint32_t place, std::uint32_t size,
                     std::uint32_t threshold) {
    for (std::uint64_t attempt = 1;; ++attempt) {
        const Word4 words =
            philox({place / kDrawnTogether, resample, attempt, static_cast<std::uint64_t>(Stream::kIndices)}, seed);
        const std::uint64_t product = spread(words, place % kDrawnTogether, size);
        if (static_cast<std::uint32_t>(product) >= threshold) {
            return static_cast<std::uint32_t>(product >> 32);
        }
    }
}

}  // namespace

Word4 philox(Word4 counter, std::uint64_t seed) { return mix(counter, seed); }

KILTER_MULTIVERSION void draw_indices(std::uint64_t seed, std::uint32_t resample, std::int64_t segments,
                                      std::int64_t first, std::int64_t count, std::uint32_t* out) {
    const auto size = static_cast<std::uint32_t>(segments);
    if (size == 0) {
        return;
    }
    const std::uint32_t threshold = (0u - size) % size;
    for (std::int64_t done = 0; done < count; done += kDrawnTogether) {
        const auto start = static_cast<std::uint32_t>(first + done);
        const Word4 words =
            mix({start / kDrawnTogether, resample, 0, static_cast<std::uint64_t>(Stream::kIndices)}, seed);
        std::array<std::uint32_t, kDrawnTogether> indices;
        std::uint32_t least = ~0u;
        for (int k = 0; k < kDrawnTogether; ++k) {
            const std::uint64_t product = spread(words, k, size);
            indices[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(product >> 32);
            least = std::min(least, static_cast<std::uint32_t>(product));
        }
        if (least < threshold) [[unlikely]] {
            for (int k = 0; k < kDrawnTogether; ++k) {
                if (static_cast<std::uint32_t>(spread(words, k, size)) < threshold) {
                    indices[static_cast<std::size_t>(k)] =
                        redraw(seed, resample, start + static_cast<std::uint32_t>(k), size, threshold);
                }
            }
        }
        std::copy_n(indices.data(), std::min<std::int64_t>(kDrawnTogether, count - done), out + done);
    }
}

KILTER_MULTIVERSION std::int64_t draw_coins(std::uint64_t seed, Stream stream, std::uint32_t resample,
                                            std::int64_t segments, std::uint8_t* out) {
    std::int64_t chosen = 0;
    for (std::int64_t start = 0; start < segments; start += kCoinsPerBlock) {
        const Word4 words =
            mix({static_cast<std::uint64_t>(start / kCoinsPerBlock), resample, 0, static_cast<std::uint64_t>(stream)},
                seed);
        for (int word = 0; word < 4; ++word) {
            const std::int64_t first = start + 64 * word;
            const std::int64_t left = std::clamp<std::int64_t>(segments - first, 0, 64);
            std::uint64_t coins = words[static_cast<std::size_t>(word)];
            std::uint8_t single[64];
            for (int k = 0; k < 64; ++k) {
                single[k] = static_cast<std::uint8_t>(coins >> k & 1);
            }
            if (left < 64) {
                coins &= (std::uint64_t{1} << left) - 1;
                std::copy_n(single, left, out + first);
            } else {
                std::copy_n(single, 64, out + first);
            }
            chosen += std::popcount(coins);
        }
    }
    return chosen;
}

}  // namespace kilter
