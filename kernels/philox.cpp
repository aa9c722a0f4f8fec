#include "philox.hpp"

#include <algorithm>
#include <bit>

#include "multiversion.hpp"

namespace kilter {
namespace {

constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

// As many counters side by side as keep the widest vectors busy.
constexpr int kLanes = 16;
using Lanes = std::array<std::uint32_t, kLanes>;

// The generator on kLanes counters (first + lane, resample, attempt, stream) at once.
KILTER_INLINE void philox_lanes(std::uint32_t first, std::uint32_t resample, std::uint32_t attempt,
                                std::uint32_t stream, std::uint64_t seed,
                                std::array<Lanes, 4>& x) {
    for (int lane = 0; lane < kLanes; ++lane) {
        x[0][lane] = first + static_cast<std::uint32_t>(lane);
        x[1][lane] = resample;
        x[2][lane] = attempt;
        x[3][lane] = stream;
    }
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < kRounds; ++round) {
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::uint64_t product0 = kMultiplier0 * x[0][lane];
            const std::uint64_t product1 = kMultiplier1 * x[2][lane];
            x[0][lane] = static_cast<std::uint32_t>(product1 >> 32) ^ x[1][lane] ^ key0;
            x[1][lane] = static_cast<std::uint32_t>(product1);
            x[2][lane] = static_cast<std::uint32_t>(product0 >> 32) ^ x[3][lane] ^ key1;
            x[3][lane] = static_cast<std::uint32_t>(product0);
        }
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
}

std::uint32_t redraw(std::uint64_t seed, std::uint32_t resample, std::uint32_t place,
                     std::uint32_t size, std::uint32_t threshold) {
    for (std::uint32_t attempt = 1;; ++attempt) {
        const Word4 words =
            philox({place / 4, resample, attempt, static_cast<std::uint32_t>(Stream::kIndices)}, seed);
        const std::uint64_t product = std::uint64_t{words[place % 4]} * size;
        if (static_cast<std::uint32_t>(product) >= threshold) {
            return static_cast<std::uint32_t>(product >> 32);
        }
    }
}

}  // namespace

Word4 philox(Word4 counter, std::uint64_t seed) {
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t product0 = kMultiplier0 * counter[0];
        const std::uint64_t product1 = kMultiplier1 * counter[2];
        counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key0,
                   static_cast<std::uint32_t>(product1),
                   static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key1,
                   static_cast<std::uint32_t>(product0)};
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
    return counter;
}

KILTER_MULTIVERSION
void draw_indices(std::uint64_t seed, std::uint32_t resample, std::int64_t segments,
                  std::uint32_t* out) {
    const auto size = static_cast<std::uint32_t>(segments);
    if (size == 0) {
        return;
    }
    const std::uint32_t threshold = (0u - size) % size;
    std::array<Lanes, 4> words;
    std::array<std::uint32_t, 4 * kLanes> places;
    for (std::int64_t start = 0; start < segments; start += 4 * kLanes) {
        philox_lanes(static_cast<std::uint32_t>(start / 4), resample, 0,
                     static_cast<std::uint32_t>(Stream::kIndices), seed, words);
        std::uint32_t rejected = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            for (int word = 0; word < 4; ++word) {
                const std::uint64_t product = std::uint64_t{words[word][lane]} * size;
                places[4 * lane + word] = static_cast<std::uint32_t>(product >> 32);
                rejected |= static_cast<std::uint32_t>(product) < threshold;
            }
        }
        const auto count = static_cast<int>(std::min<std::int64_t>(4 * kLanes, segments - start));
        std::copy_n(places.data(), count, out + start);
        if (rejected) [[unlikely]] {
            for (int k = 0; k < count; ++k) {
                const std::uint64_t product = std::uint64_t{words[k % 4][k / 4]} * size;
                if (static_cast<std::uint32_t>(product) < threshold) {
                    out[start + k] = redraw(seed, resample, static_cast<std::uint32_t>(start + k),
                                            size, threshold);
                }
            }
        }
    }
}

std::int64_t draw_subset(std::uint64_t seed, Stream stream, std::uint32_t resample,
                         std::int64_t segments, std::uint32_t* out) {
    std::uint32_t* end = out;
    for (std::int64_t start = 0; start < segments; start += 128) {
        const Word4 words = philox({static_cast<std::uint32_t>(start / 128), resample, 0,
                                    static_cast<std::uint32_t>(stream)},
                                   seed);
        for (int lane = 0; lane < 4; ++lane) {
            const std::int64_t first = start + 32 * lane;
            const std::int64_t left = std::clamp<std::int64_t>(segments - first, 0, 32);
            std::uint32_t bits = words[static_cast<std::size_t>(lane)];
            if (left < 32) {
                bits &= (1u << left) - 1;
            }
            for (; bits != 0; bits &= bits - 1) {
                *end++ = static_cast<std::uint32_t>(first + std::countr_zero(bits));
            }
        }
    }
    return end - out;
}

}  // namespace kilter
