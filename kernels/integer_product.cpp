#include "integer_product.hpp"

#include <algorithm>
#include <cstring>

#include "multiversion.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__ARM_FEATURE_DOTPROD)
#define KILTER_DOT
#elif defined(__clang__)
#define KILTER_DOT __attribute__((target("dotprod")))
#else
#define KILTER_DOT __attribute__((target("arch=armv8.2-a+dotprod")))
#endif
#endif

namespace kilter {
namespace {

constexpr std::size_t kWide = IntegerWeights::kOutputs;
constexpr std::size_t kDeep = 4;
constexpr std::size_t kCell = kWide * kDeep;  // bytes of 16 outputs by 4 inputs

// Rows of bytes and packed weights to multiply, and where sums go.
struct Task {
    const std::uint8_t* rows;
    std::size_t count;
    std::size_t step;  // from row to row
    const std::int8_t* packed;
    std::size_t inputs;
    std::size_t blocks;
    std::int32_t* sums;

    std::size_t stride() const { return blocks * kWide; }
    const std::int8_t* panel(std::size_t block) const { return packed + block * inputs * kWide; }
};

KILTER_MULTIVERSION void multiply_plainly(const Task& task) {
    for (std::size_t row = 0; row < task.count; ++row) {
        const std::uint8_t* bytes = task.rows + row * task.step;
        for (std::size_t block = 0; block < task.blocks; ++block) {
            const std::int8_t* __restrict weights = task.panel(block);
            std::int32_t parts[kCell] = {};
            for (std::size_t input = 0; input < task.inputs; input += kDeep) {
                std::uint8_t four[kCell];
                for (std::size_t output = 0; output < kWide; ++output) {
                    std::memcpy(four + output * kDeep, bytes + input, kDeep);
                }
                for (std::size_t k = 0; k < kCell; ++k) {
                    parts[k] += static_cast<std::int16_t>(four[k] * weights[input * kWide + k]);
                }
            }
            std::int32_t* sums = task.sums + row * task.stride() + block * kWide;
            for (std::size_t output = 0; output < kWide; ++output) {
                const std::int32_t* four = parts + output * kDeep;
                sums[output] = four[0] + four[1] + four[2] + four[3];
            }
        }
    }
}

#if defined(__x86_64__)

// Four bytes of a row, as the integer that is repeated in a register.
KILTER_INLINE int four_bytes(const std::uint8_t* bytes) {
    int found = 0;
    std::memcpy(&found, bytes, sizeof found);
    return found;
}

template <std::size_t Rows>
__attribute__((target("avx2"))) void avx2_rows(const Task& task, std::size_t row) {
    const __m256i ones = _mm256_set1_epi16(1);
    const std::uint8_t* bytes = task.rows + row * task.step;
    for (std::size_t block = 0; block < task.blocks; ++block) {
        const std::int8_t* weights = task.panel(block);
        __m256i sums[Rows][2];
        for (std::size_t k = 0; k < Rows; ++k) {
            sums[k][0] = sums[k][1] = _mm256_setzero_si256();
        }
        for (std::size_t input = 0; input < task.inputs; input += kDeep) {
            const auto* cell = reinterpret_cast<const __m256i*>(weights + input * kWide);
            const __m256i low = _mm256_loadu_si256(cell);
            const __m256i high = _mm256_loadu_si256(cell + 1);
            for (std::size_t k = 0; k < Rows; ++k) {
                const __m256i four = _mm256_set1_epi32(four_bytes(bytes + k * task.step + input));
                sums[k][0] = _mm256_add_epi32(sums[k][0], _mm256_madd_epi16(_mm256_maddubs_epi16(four, low), ones));
                sums[k][1] = _mm256_add_epi32(sums[k][1], _mm256_madd_epi16(_mm256_maddubs_epi16(four, high), ones));
            }
        }
        for (std::size_t k = 0; k < Rows; ++k) {
            auto* out = reinterpret_cast<__m256i*>(task.sums + (row + k) * task.stride() + block * kWide);
            _mm256_storeu_si256(out, sums[k][0]);
            _mm256_storeu_si256(out + 1, sums[k][1]);
        }
    }
}

void multiply_avx2(const Task& task) {
    std::size_t row = 0;
    for (; row + 4 <= task.count; row += 4) {
        avx2_rows<4>(task, row);
    }
    for (; row < task.count; ++row) {
        avx2_rows<1>(task, row);
    }
}

#define KILTER_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

template <std::size_t Rows, std::size_t Blocks>
KILTER_VNNI KILTER_INLINE void vnni_block(const Task& task, std::size_t row, std::size_t block) {
    const std::uint8_t* bytes = task.rows + row * task.step;
    __m512i sums[Rows][Blocks];
    for (std::size_t k = 0; k < Rows; ++k) {
        for (std::size_t b = 0; b < Blocks; ++b) {
            sums[k][b] = _mm512_setzero_si512();
        }
    }
    for (std::size_t input = 0; input < task.inputs; input += kDeep) {
        __m512i cells[Blocks];
        for (std::size_t b = 0; b < Blocks; ++b) {
            cells[b] = _mm512_loadu_si512(task.panel(block + b) + input * kWide);
        }
        for (std::size_t k = 0; k < Rows; ++k) {
            const __m512i four = _mm512_set1_epi32(four_bytes(bytes + k * task.step + input));
            for (std::size_t b = 0; b < Blocks; ++b) {
                sums[k][b] = _mm512_dpbusd_epi32(sums[k][b], four, cells[b]);
            }
        }
    }
    for (std::size_t k = 0; k < Rows; ++k) {
        for (std::size_t b = 0; b < Blocks; ++b) {
            _mm512_storeu_si512(task.sums + (row + k) * task.stride() + (block + b) * kWide, sums[k][b]);
        }
    }
}

template <std::size_t Rows>
KILTER_VNNI KILTER_INLINE void vnni_rows(const Task& task, std::size_t row, std::size_t block) {
    if (block + 4 <= task.blocks) {
        vnni_block<Rows, 4>(task, row, block);
        return;
    }
    for (; block < task.blocks; ++block) {
        vnni_block<Rows, 1>(task, row, block);
    }
}

KILTER_VNNI void multiply_vnni(const Task& task) {
    for (std::size_t block = 0; block < task.blocks; block += 4) {
        std::size_t row = 0;
        for (; row + 6 <= task.count; row += 6) {
            vnni_rows<6>(task, row, block);
        }
        for (; row < task.count; ++row) {
            vnni_rows<1>(task, row, block);
        }
    }
}

#elif defined(__aarch64__)

// Signed bytes meet signed bytes here: rows are taken 128 lower, and 128 times the weights is added again.
template <std::size_t Rows>
KILTER_DOT void dot_rows(const Task& task, std::size_t row, std::size_t block) {
    const std::uint8_t* bytes = task.rows + row * task.step;
    const std::int8_t* weights = task.panel(block);
    const int8x16_t ones = vdupq_n_s8(1);
    int32x4_t sums[Rows][4];
    int32x4_t weight_sums[4];
    for (std::size_t part = 0; part < 4; ++part) {
        weight_sums[part] = vdupq_n_s32(0);
        for (std::size_t k = 0; k < Rows; ++k) {
            sums[k][part] = vdupq_n_s32(0);
        }
    }
    for (std::size_t input = 0; input < task.inputs; input += kDeep) {
        int8x16_t cells[4];
        for (std::size_t part = 0; part < 4; ++part) {
            cells[part] = vld1q_s8(weights + input * kWide + 16 * part);
            weight_sums[part] = vdotq_s32(weight_sums[part], cells[part], ones);
        }
        for (std::size_t k = 0; k < Rows; ++k) {
            std::uint32_t four = 0;
            std::memcpy(&four, bytes + k * task.step + input, sizeof four);
            const int8x16_t lower = vreinterpretq_s8_u32(vdupq_n_u32(four ^ 0x80808080U));
            for (std::size_t part = 0; part < 4; ++part) {
                sums[k][part] = vdotq_s32(sums[k][part], cells[part], lower);
            }
        }
    }
    for (std::size_t k = 0; k < Rows; ++k) {
        std::int32_t* out = task.sums + (row + k) * task.stride() + block * kWide;
        for (std::size_t part = 0; part < 4; ++part) {
            vst1q_s32(out + 4 * part, vaddq_s32(sums[k][part], vshlq_n_s32(weight_sums[part], 7)));
        }
    }
}

KILTER_DOT void multiply_dot(const Task& task) {
    for (std::size_t block = 0; block < task.blocks; ++block) {
        std::size_t row = 0;
        for (; row + 4 <= task.count; row += 4) {
            dot_rows<4>(task, row, block);
        }
        for (; row < task.count; ++row) {
            dot_rows<1>(task, row, block);
        }
    }
}

bool has_dot() {
#if defined(__ARM_FEATURE_DOTPROD)
    return true;
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
#else
    return false;
#endif
}

#endif

}  // namespace

const std::vector<ProductWay>& product_ways() {
    // Never destroyed: daemon threads may multiply while the process ends.
    static const std::vector<ProductWay>& ways = *new std::vector<ProductWay>([] {
        std::vector<ProductWay> found{ProductWay::kPlain};
#if defined(__x86_64__)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2")) {
            found.push_back(ProductWay::kAvx2);
        }
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512vnni")) {
            found.push_back(ProductWay::kVnni);
        }
#elif defined(__aarch64__)
        if (has_dot()) {
            found.push_back(ProductWay::kDot);
        }
#endif
        return found;
    }());
    return ways;
}

IntegerWeights::IntegerWeights(const std::int8_t* weights, std::size_t inputs, std::size_t outputs)
    : inputs_(inputs), outputs_(outputs), blocks_((outputs + kWide - 1) / kWide) {
    packed_.resize(blocks_ * kWide * inputs);
    for (std::size_t input = 0; input < inputs; ++input) {
        for (std::size_t output = 0; output < outputs; ++output) {
            const std::size_t panel = output / kWide * inputs * kWide;
            const std::size_t cell = input / kDeep * kCell;
            packed_[panel + cell + output % kWide * kDeep + input % kDeep] = weights[input * outputs + output];
        }
    }
}

void IntegerWeights::add_output(const std::int8_t* column, std::size_t count) {
    if (outputs_ % kWide == 0) {
        packed_.resize(++blocks_ * kWide * inputs_);
    }
    std::int8_t* const panel = packed_.data() + (blocks_ - 1) * kWide * inputs_ + outputs_++ % kWide * kDeep;
    for (std::size_t input = 0; input < count; ++input) {
        panel[input / kDeep * kCell + input % kDeep] = column[input];
    }
}

void IntegerWeights::multiply(const Rows& rows, std::size_t first, std::size_t some, std::int32_t* sums,
                              ProductWay way) const {
    const Task task{rows.bytes, rows.count, rows.step, packed_.data() + first * inputs_, inputs_, some / kWide, sums};
    switch (way) {
#if defined(__x86_64__)
        case ProductWay::kVnni:
            return multiply_vnni(task);
        case ProductWay::kAvx2:
            return multiply_avx2(task);
#elif defined(__aarch64__)
        case ProductWay::kDot:
            return multiply_dot(task);
#endif
        default:
            return multiply_plainly(task);
    }
}

}  // namespace kilter
