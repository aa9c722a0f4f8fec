#include "catalan.hpp"

#include <cmath>

#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {

void ScaledNumber::multiply(const ScaledNumber& other) {
    mantissa *= other.mantissa;
    exponent += other.exponent;
    if (mantissa < 0.5) {  // the product of two numbers in [0.5, 1) is at least 0.25
        mantissa *= 2;
        exponent -= 1;
    }
}

double ScaledNumber::log() const {
    return std::log(mantissa) + static_cast<double>(exponent) * 0.693147180559945309417232121458;
}

const std::array<double, 65>& small_tree_counts() {
    static constexpr std::array<double, 65> table = [] {
        std::array<double, 65> counts{};
        unsigned __int128 catalan = 1;
        for (unsigned k = 1; k < counts.size(); ++k) {
            counts[k] = static_cast<double>(catalan);
            catalan = catalan * (2 * (2 * k - 1)) / (k + 1);
        }
        return counts;
    }();
    return table;
}

const std::array<std::uint64_t, kLargestExactWidth + 1>& exact_tree_counts() {
    static constexpr std::array<std::uint64_t, kLargestExactWidth + 1> table = [] {
        std::array<std::uint64_t, kLargestExactWidth + 1> counts{};
        unsigned __int128 catalan = 1;
        for (unsigned k = 1; k < counts.size(); ++k) {
            counts[k] = static_cast<std::uint64_t>(catalan);
            catalan = catalan * (2 * (2 * k - 1)) / (k + 1);
        }
        return counts;
    }();
    return table;
}

namespace {

// Catalan(k) = Catalan(k - 1) * (4k - 2) / (k + 1), carried as an unevaluated sum high + low of two
// doubles so that ten million steps still leave a correctly rounded mantissa.
KILTER_MULTIVERSION
void fill_tree_counts(std::int64_t largest, double* mantissas, std::int32_t* exponents) {
    double high = 0.5;
    double low = 0.0;
    std::int32_t exponent = 1;
    for (std::int64_t k = 1; k <= largest; ++k) {
        if ((k & 0xfffff) == 0) {
            check_stop();
        }
        mantissas[k] = high;
        exponents[k] = exponent;
        const double factor = 4.0 * static_cast<double>(k) - 2.0;
        const double divisor = static_cast<double>(k) + 1.0;
        const double product = high * factor;
        const double product_error = std::fma(high, factor, -product) + low * factor;
        const double quotient = product / divisor;
        const double rest = std::fma(-quotient, divisor, product) + product_error;
        const double correction = rest / divisor;
        high = quotient + correction;
        low = correction - (high - quotient);
        while (high >= 1.0) {  // at most twice: the factor is below 4
            high /= 2.0;
            low /= 2.0;
            ++exponent;
        }
    }
}

}  // namespace

TreeCountTable::TreeCountTable(std::int64_t largest) : mantissas_(largest + 1), exponents_(largest + 1) {
    mantissas_[0] = 0.5;
    exponents_[0] = 1;
    fill_tree_counts(largest, mantissas_.data(), exponents_.data());
}

double share_of_trees(const ScaledNumber& count, const ScaledNumber& most) {
    if (count.exponent == 1 && count.mantissa == 0.5) {
        return 0.0;
    }
    if (count.exponent == most.exponent && count.mantissa == most.mantissa) {
        return 1.0;
    }
    const auto reciprocal = [](const ScaledNumber& number) {
        return std::ldexp(1.0 / number.mantissa, static_cast<int>(-number.exponent));
    };
    const double ratio =
        std::ldexp(count.mantissa / most.mantissa, static_cast<int>(count.exponent - most.exponent));
    const double one_tree = reciprocal(most);
    return (ratio - one_tree) / (1.0 - one_tree);
}

}  // namespace kilter
