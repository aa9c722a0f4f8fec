// Hidden Markov model (HMM) alignment of one sentence pair: target words are emitted by source words whose
// positions move by jumps (Vogel, Ney & Tillmann 1996; NULL states of Och & Ney 2003).
#pragma once

#include <cstdint>

#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

struct JumpOptions {
    double null;     // probability that a target word is linked to no source word
    double uniform;  // share of jumps that go anywhere in the sentence
};

// Weights of the jumps -reach..reach; longer ones weigh as much as the longest.
// From position k (-1 before the first word) of a sentence of n words to position i:
//   p(i | k, n) = (1 - uniform) * weight(i - k) / sum over i' of weight(i' - k) + uniform / n
struct JumpModel {
    explicit JumpModel(std::int32_t reach)
        : reach(reach), weights(static_cast<std::size_t>(2 * reach + 1), 1.0 / (2 * reach + 1)) {}

    std::int32_t reach;
    PlainVector<double> weights;
};

// Expected jumps, and what each weight's normalisers add up to: the next weight is their quotient.
struct JumpCounts {
    explicit JumpCounts(std::int32_t reach)
        : jumps(static_cast<std::size_t>(2 * reach + 1), 0.0), norms(jumps) {}
    void add(const JumpCounts& other);

    PlainVector<double> jumps;
    PlainVector<double> norms;
};

// One step uphill on the likelihood: the normalisers differ by position and sentence length, so
// their logarithms are replaced by tangents, as in the MM algorithm for Bradley-Terry models.
void update(JumpModel& model, const JumpCounts& counts);

// Working space for the sentence pairs of one thread.
class JumpChain {
public:
    JumpChain(const JumpModel& model, JumpOptions options, std::int32_t longest_source);

    // `emissions` holds p(target j | source i) at j * source + i, `nulls` p(target j | NULL). Both are
    // replaced by posterior probabilities (forward-backward algorithm). Returns the log-likelihood; adds to `counts` unless null.
    double posteriors(std::int32_t source, std::int32_t target, double* emissions, double* nulls,
                      JumpCounts* counts);

    // The most probable path (Viterbi algorithm): for each target word its source position, or -1 for NULL.
    void best_path(std::int32_t source, std::int32_t target, const double* emissions,
                   const double* nulls, std::int32_t* path);

private:
    void prepare(std::int32_t source);
    double forward_step(std::int32_t source, const double* emissions, double null,
                        const double* before, double* real, double* after);
    void collect(std::int32_t source, JumpCounts& counts) const;

    const JumpModel& model_;
    JumpOptions options_;
    std::int32_t longest_;
    PlainVector<double> ahead_;   // weight(d) at d + longest
    PlainVector<double> behind_;  // weight(-d) at d + longest
    PlainVector<double> norm_;    // (1 - uniform) / normaliser, by position + 1
    double anywhere_ = 0.0;       // uniform / n
    // Row j + 1: probability that the last linked position is k - 1, after target word j.
    WorkVector<double> memory_;
    WorkVector<double> real_;  // the part of it that moved there with word j
    PlainVector<double> scales_;
    PlainVector<double> scaled_, moves_, reached_, backward_, previous_;
    PlainVector<double> jumps_, leaving_;
    WorkVector<std::int32_t> from_;
    WorkVector<std::uint8_t> stayed_;
    Pace pace_;
};

}  // namespace kilter
