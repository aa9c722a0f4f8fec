#include "perceptron.hpp"

#include "multiversion.hpp"

namespace kilter {
namespace {

// Rows of three weights, as moves have them, are added up without a loop over them.
constexpr int kFew = 3;

template <class Weight>
KILTER_INLINE void add_all(const Weight* weights, int bits, int classes, const std::uint64_t* hashes,
                           std::size_t count, std::int32_t* scores) {
    const auto width = static_cast<std::size_t>(classes);
    if (classes == kFew) {
        std::int32_t a = 0, b = 0, c = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const Weight* row = weights + (hashes[k] >> (64 - bits)) * kFew;
            a += row[0];
            b += row[1];
            c += row[2];
        }
        scores[0] = a;
        scores[1] = b;
        scores[2] = c;
        return;
    }
    for (std::size_t c = 0; c < width; ++c) {
        scores[c] = 0;
    }
    for (std::size_t k = 0; k < count; ++k) {
        const Weight* row = weights + (hashes[k] >> (64 - bits)) * width;
        for (std::size_t c = 0; c < width; ++c) {
            scores[c] += row[c];
        }
    }
}

}  // namespace

KILTER_MULTIVERSION void add_rows(const std::int8_t* weights, int bits, int classes, const std::uint64_t* hashes,
                                  std::size_t count, std::int32_t* scores) {
    add_all(weights, bits, classes, hashes, count, scores);
}

KILTER_MULTIVERSION void add_rows(const std::int32_t* weights, int bits, int classes, const std::uint64_t* hashes,
                                  std::size_t count, std::int32_t* scores) {
    add_all(weights, bits, classes, hashes, count, scores);
}

}  // namespace kilter
