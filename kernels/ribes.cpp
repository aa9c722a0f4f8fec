#include "ribes.hpp"

#include <algorithm>
#include <limits>

#include "fenwick.hpp"
#include "open_table.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr std::int32_t kNone = -1;
constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::max();

// Where each word stands, last place first.
struct Places {
    PlainVector<std::int32_t> last;    // by word
    PlainVector<std::int32_t> before;  // by place: the previous place of the same word

    void fill(const PlainVector<std::int32_t>& words, std::size_t distinct) {
        last.assign(distinct, kNone);
        before.resize(words.size());
        for (std::size_t place = 0; place < words.size(); ++place) {
            if (words[place] != kNone) {
                std::int32_t& seen = last[words[place]];
                before[place] = seen;
                seen = static_cast<std::int32_t>(place);
            }
        }
    }
};

// Lengths of the common word sequences that end at one hypothesis place and at the places of a sentence.
// Rows come in order, and the places of a row from last to first, so that the entry to the left still
// belongs to the row above.
class CommonRuns {
public:
    void clear(std::size_t places) { runs_.assign(places, {-2, 0}); }
    std::int32_t extend(std::int32_t row, std::int32_t place) {
        const Run above = place > 0 ? runs_[place - 1] : Run{-2, 0};
        const std::int32_t length = above.row == row - 1 ? above.length + 1 : 1;
        runs_[place] = {row, length};
        return length;
    }

private:
    struct Run {
        std::int32_t row;
        std::int32_t length;
    };
    PlainVector<Run> runs_;
};

// The shortest n-gram ending at a hypothesis word that occurs once on both sides.
struct Context {
    std::int32_t length = kNever;
    std::int32_t position = kNone;  // of its last word in the reference
};

// An n-gram occurs once in the hypothesis if it is longer than the longest run shared with another
// hypothesis place, and once in the reference if it is longer than the second longest run shared with
// the reference but not than the longest. Hence no n-gram is ever compared as a whole.
class ContextFinder {
public:
    void find(const PlainVector<std::int32_t>& hypothesis,
              const PlainVector<std::int32_t>& reference, std::size_t distinct,
              PlainVector<Context>& contexts) {
        hypothesis_places_.fill(hypothesis, distinct);
        reference_places_.fill(reference, distinct);
        hypothesis_runs_.clear(hypothesis.size());
        reference_runs_.clear(reference.size());
        contexts.assign(hypothesis.size(), {});
        for (std::size_t i = 0; i < hypothesis.size(); ++i) {
            const auto row = static_cast<std::int32_t>(i);
            const auto word = static_cast<std::size_t>(hypothesis[i]);
            std::int32_t repeated = 0;
            for (std::int32_t p = hypothesis_places_.last[word]; p != kNone;
                 p = hypothesis_places_.before[p]) {
                pace_.work(4);
                if (p != row) {
                    repeated = std::max(repeated, hypothesis_runs_.extend(row, p));
                }
            }
            std::int32_t longest = 0;
            std::int32_t second = 0;
            std::int32_t position = kNone;
            for (std::int32_t p = reference_places_.last[word]; p != kNone;
                 p = reference_places_.before[p]) {
                pace_.work(4);
                const std::int32_t run = reference_runs_.extend(row, p);
                if (run > longest) {
                    second = longest;
                    longest = run;
                    position = p;
                } else {
                    second = std::max(second, run);
                }
            }
            const std::int32_t needed = std::max(repeated, second) + 1;
            if (needed <= longest) {
                contexts[i] = {needed, position};
            }
        }
    }

private:
    Places hypothesis_places_, reference_places_;
    CommonRuns hypothesis_runs_, reference_runs_;
    Pace pace_;
};

// Counts pairs i < j with positions[i] < positions[j]; equal positions do not rise.
class RisingPairs {
public:
    std::int64_t count(const std::int32_t* positions, std::size_t size, std::size_t length) {
        seen_.reset(length);
        std::int64_t pairs = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (positions[i] == kNone) {
                continue;
            }
            pairs += seen_.prefix(positions[i]);
            seen_.add(positions[i], 1);
        }
        return pairs;
    }

private:
    Fenwick<std::int32_t> seen_;  // by reference position
};

class Matcher {
public:
    void match(const std::int32_t* hypothesis, std::int64_t length, const std::int32_t* reference,
               std::int64_t reference_length, std::int64_t* row, std::int32_t* positions) {
        number_words(hypothesis, length, reference, reference_length);
        const auto distinct = static_cast<std::size_t>(table_.size());
        finder_.find(hypothesis_, reference_, distinct, left_);
        std::reverse(hypothesis_.begin(), hypothesis_.end());
        std::reverse(reference_.begin(), reference_.end());
        finder_.find(hypothesis_, reference_, distinct, right_);
        row[0] = 0;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            const Context& left = left_[i];
            const Context& right = right_[right_.size() - 1 - i];
            if (left.length <= right.length) {
                positions[i] = left.position;
            } else {
                positions[i] = static_cast<std::int32_t>(reference_length) - 1 - right.position;
            }
            row[0] += positions[i] != kNone;
        }
        row[1] = rising_.count(positions, left_.size(), reference_.size());
    }

private:
    void number_words(const std::int32_t* hypothesis, std::int64_t length,
                      const std::int32_t* reference, std::int64_t reference_length) {
        table_.reset(length);
        hypothesis_.resize(length);
        reference_.resize(reference_length);
        std::transform(hypothesis, hypothesis + length, hypothesis_.begin(),
                       [&](std::int32_t word) { return table_.insert(word); });
        std::transform(reference, reference + reference_length, reference_.begin(),
                       [&](std::int32_t word) { return table_.find(word); });
    }

    KeyNumbers<std::int32_t> table_;
    PlainVector<std::int32_t> hypothesis_, reference_;  // in numbers of their own, kNone if only here
    PlainVector<Context> left_, right_;
    ContextFinder finder_;
    RisingPairs rising_;
};

}  // namespace

void match_ribes(const Batch& hypothesis, const Batch& reference, int jobs,
                 std::int64_t* rows, std::int32_t* positions) {
    for_each_block(hypothesis.offsets, hypothesis.segments, jobs,
                   [&](std::int64_t first, std::int64_t last) {
                       Matcher matcher;
                       for (std::int64_t s = first; s < last; ++s) {
                           matcher.match(hypothesis.begin(s), hypothesis.length(s),
                                         reference.begin(s), reference.length(s),
                                         rows + s * kRibesColumns,
                                         positions + hypothesis.offsets[s]);
                       }
                   });
}

}  // namespace kilter
