#include "jump_chain.hpp"

#include <algorithm>
#include <cmath>

#include "multiversion.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// A jump never becomes impossible, or a normaliser could be zero.
constexpr double kSmallestWeight = 1e-9;

// axpy, sums[k] += factor * values[k]: every lane is its own sum, so wide instructions change no bit.
KILTER_MULTIVERSION void add_scaled(double* __restrict sums, const double* __restrict values,
                                    double factor, std::int32_t n) {
    for (std::int32_t k = 0; k < n; ++k) {
        sums[k] += factor * values[k];
    }
}

// Where a path from `k` is more probable than the best one so far, it takes its place.
KILTER_MULTIVERSION void raise_to(double* __restrict highest, std::int32_t* __restrict from,
                                  const double* __restrict weights, double mass, double norm,
                                  double anywhere, std::int32_t k, std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i) {
        const double path = mass * (norm * weights[i] + anywhere);
        from[i] = path > highest[i] ? k : from[i];
        highest[i] = path > highest[i] ? path : highest[i];
    }
}

double sum(const double* values, std::int32_t n) {
    double result = 0.0;
    for (std::int32_t k = 0; k < n; ++k) {
        result += values[k];
    }
    return result;
}

}  // namespace

void JumpCounts::add(const JumpCounts& other) {
    for (std::size_t k = 0; k < jumps.size(); ++k) {
        jumps[k] += other.jumps[k];
        norms[k] += other.norms[k];
    }
}

void update(JumpModel& model, const JumpCounts& counts) {
    double total = 0.0;
    for (std::size_t k = 0; k < model.weights.size(); ++k) {
        if (counts.norms[k] > 0.0) {
            model.weights[k] = counts.jumps[k] / counts.norms[k];
        }
        total += model.weights[k];
    }
    for (double& weight : model.weights) {
        weight = total > 0.0 ? std::max(weight / total, kSmallestWeight) : 1.0;
    }
}

JumpChain::JumpChain(const JumpModel& model, JumpOptions options, std::int32_t longest_source)
    : model_(model), options_(options), longest_(longest_source) {
    const std::int64_t n = longest_;  // twice that is more than 32 bits hold
    ahead_.resize(2 * n + 1);
    behind_.resize(2 * n + 1);
    for (std::int64_t d = -n; d <= n; ++d) {
        const std::int64_t bucket = std::clamp<std::int64_t>(d, -model.reach, model.reach) + model.reach;
        ahead_[d + n] = behind_[n - d] = model.weights[bucket];
    }
    for (auto* buffer : {&scaled_, &moves_, &reached_, &backward_, &previous_, &leaving_, &norm_}) {
        buffer->resize(n + 1);
    }
    jumps_.resize(2 * n + 1);
}

void JumpChain::prepare(std::int32_t source) {
    // A running sum would drift; n additions for each of n + 1 positions cost less than one word.
    for (std::int32_t k = 0; k <= source; ++k) {
        norm_[k] =
            (1.0 - options_.uniform) / sum(ahead_.data() + longest_ + 1 - k, source);
    }
    anywhere_ = options_.uniform / source;
}

double JumpChain::forward_step(std::int32_t source, const double* emissions, double null,
                               const double* before, double* real, double* after) {
    const double everywhere = anywhere_ * sum(before, source + 1);
    std::fill_n(real, source, everywhere);
    for (std::int32_t k = 0; k <= source; ++k) {
        const double mass = before[k] * norm_[k];
        if (mass != 0.0) {
            add_scaled(real, ahead_.data() + longest_ + 1 - k, mass, source);
        }
    }
    double total = 0.0;
    for (std::int32_t i = 0; i < source; ++i) {
        real[i] *= (1.0 - options_.null) * emissions[i];
        total += real[i];
    }
    for (std::int32_t k = 0; k <= source; ++k) {
        after[k] = options_.null * null * before[k];
        total += after[k];
    }
    const double inverse = 1.0 / total;
    after[0] *= inverse;
    for (std::int32_t i = 0; i < source; ++i) {
        real[i] *= inverse;
        after[i + 1] = after[i + 1] * inverse + real[i];
    }
    return total;
}

double JumpChain::posteriors(std::int32_t source, std::int32_t target, double* emissions,
                             double* nulls, JumpCounts* counts) {
    double likelihood = 0.0;
    if (source == 0) {
        for (std::int32_t j = 0; j < target; ++j) {
            likelihood += std::log(nulls[j]);
            nulls[j] = 1.0;
        }
        return likelihood;
    }
    prepare(source);
    const std::int64_t width = std::int64_t{source} + 1;
    memory_.resize(width * (target + 1));
    real_.resize(std::int64_t{source} * target);
    scales_.resize(target);
    std::fill_n(memory_.begin(), width, 0.0);
    memory_[0] = 1.0;
    for (std::int32_t j = 0; j < target; ++j) {
        pace_.work(std::int64_t{source} * source);
        scales_[j] = forward_step(
            source, emissions + std::int64_t{j} * source, nulls[j], memory_.data() + j * width,
            real_.data() + std::int64_t{j} * source, memory_.data() + (j + 1) * width);
        likelihood += std::log(scales_[j]);
    }
    if (counts != nullptr) {
        std::fill_n(jumps_.begin(), jumps_.size(), 0.0);
        std::fill_n(leaving_.begin(), width, 0.0);
    }
    std::fill_n(backward_.begin(), width, 1.0);
    for (std::int32_t j = target - 1; j >= 0; --j) {
        pace_.work(2 * std::int64_t{source} * source);
        const double* before = memory_.data() + j * width;
        const double* real = real_.data() + std::int64_t{j} * source;
        double* row = emissions + std::int64_t{j} * source;
        const double inverse = 1.0 / scales_[j];
        const double stay = options_.null * nulls[j] * inverse;
        for (std::int32_t i = 0; i < source; ++i) {
            moves_[i] = (1.0 - options_.null) * inverse * row[i] * backward_[i + 1];
            row[i] = real[i] * backward_[i + 1];
        }
        double null = 0.0;
        for (std::int32_t k = 0; k <= source; ++k) {
            null += before[k] * backward_[k];
        }
        nulls[j] = null * stay;
        std::fill_n(reached_.begin(), width, 0.0);
        for (std::int32_t i = 0; i < source; ++i) {
            if (moves_[i] != 0.0) {
                add_scaled(reached_.data(), behind_.data() + longest_ - 1 - i, moves_[i],
                           source + 1);
            }
        }
        const double everywhere = anywhere_ * sum(moves_.data(), source);
        for (std::int32_t k = 0; k <= source; ++k) {
            const double jumped = norm_[k] * reached_[k];
            if (counts != nullptr) {
                leaving_[k] += before[k] * jumped;
                add_scaled(jumps_.data() + longest_ + 1 - k, moves_.data(),
                           before[k] * norm_[k], source);
            }
            backward_[k] = jumped + everywhere + stay * backward_[k];
        }
    }
    if (counts != nullptr) {
        collect(source, *counts);
    }
    return likelihood;
}

void JumpChain::collect(std::int32_t source, JumpCounts& counts) const {
    // Position k - 1 is left by the jumps 1 - k .. source - k.
    for (std::int32_t d = 1 - source; d <= source; ++d) {
        const std::int32_t bucket = std::clamp(d, -model_.reach, model_.reach) + model_.reach;
        const std::int32_t first = std::max(1 - d, 0);
        const std::int32_t last = std::min(source - d, source);
        double norms = 0.0;
        for (std::int32_t k = first; k <= last; ++k) {
            norms += leaving_[k] * norm_[k];
        }
        counts.norms[bucket] += norms / (1.0 - options_.uniform);
        const std::int64_t jump = std::int64_t{d} + longest_;
        counts.jumps[bucket] += jumps_[jump] * ahead_[jump];
    }
}

void JumpChain::best_path(std::int32_t source, std::int32_t target, const double* emissions,
                          const double* nulls, std::int32_t* path) {
    if (source == 0) {
        std::fill_n(path, target, -1);
        return;
    }
    prepare(source);
    const std::int64_t width = std::int64_t{source} + 1;
    from_.resize(std::int64_t{source} * target);
    stayed_.resize(width * target);
    PlainVector<double>& best = scaled_;  // by last linked position + 1
    std::fill_n(best.begin(), width, 0.0);
    best[0] = 1.0;
    for (std::int32_t j = 0; j < target; ++j) {
        const double* row = emissions + std::int64_t{j} * source;
        double top = 0.0;
        pace_.work(std::int64_t{source} * source);
        std::int32_t* from = from_.data() + std::int64_t{j} * source;
        std::fill_n(moves_.begin(), source, -1.0);
        std::fill_n(from, source, 0);  // where no path is more probable than none, there is one yet
        for (std::int32_t k = 0; k <= source; ++k) {
            raise_to(moves_.data(), from, ahead_.data() + longest_ + 1 - k, best[k],
                     norm_[k], anywhere_, k, source);
        }
        for (std::int32_t i = 0; i < source; ++i) {
            previous_[i + 1] = moves_[i] * (1.0 - options_.null) * row[i];
        }
        previous_[0] = -1.0;
        for (std::int32_t k = 0; k <= source; ++k) {
            const double stay = options_.null * nulls[j] * best[k];
            stayed_[j * width + k] = stay > previous_[k];
            previous_[k] = std::max(stay, previous_[k]);
            top = std::max(top, previous_[k]);
        }
        for (std::int32_t k = 0; k <= source; ++k) {
            best[k] = previous_[k] / top;
        }
    }
    auto at = static_cast<std::int32_t>(
        std::max_element(best.begin(), best.begin() + source + 1) - best.begin());
    for (std::int32_t j = target - 1; j >= 0; --j) {
        if (stayed_[j * width + at]) {
            path[j] = -1;
        } else {
            path[j] = at - 1;
            at = from_[std::int64_t{j} * source + at - 1];
        }
    }
}

}  // namespace kilter
