#include "em_aligner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// A block is what one thread takes at a time, a chunk what is held in memory between expectation and
// counting. Both depend on the text alone.
constexpr std::int64_t kBlockSentences = 128;
constexpr std::int64_t kBlockCells = std::int64_t{1} << 16;
constexpr std::int64_t kChunkCells = std::int64_t{1} << 21;

std::int32_t longest(const Batch& batch) {
    std::int64_t result = 0;
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        result = std::max(result, batch.length(s));
    }
    return static_cast<std::int32_t>(result);
}

Bitext reversed(const Bitext& bitext) {
    return {bitext.target, bitext.source, bitext.target_words, bitext.source_words};
}

PlainVector<std::int64_t> count_cells(const Bitext& bitext) {
    PlainVector<std::int64_t> offsets(bitext.source.segments + 1, 0);
    for (std::int64_t s = 0; s < bitext.source.segments; ++s) {
        offsets[s + 1] =
            offsets[s] + bitext.source.length(s) * bitext.target.length(s);
    }
    return offsets;
}

PlainVector<std::int64_t> cut_blocks(const PlainVector<std::int64_t>& cells) {
    PlainVector<std::int64_t> blocks{0};
    const auto sentences = static_cast<std::int64_t>(cells.size()) - 1;
    for (std::int64_t s = 1; s <= sentences; ++s) {
        const auto first = blocks.back();
        if (s == sentences || s - first >= kBlockSentences ||
            cells[s] - cells[first] >= kBlockCells) {
            blocks.push_back(s);
        }
    }
    return blocks;
}

// Posteriors of Model 1 in place of probabilities; returns the log-likelihood.
double model1_posteriors(std::int64_t source, std::int64_t target, double* cells, double* nulls) {
    double likelihood = 0.0;
    for (std::int64_t j = 0; j < target; ++j) {
        double* row = cells + j * source;
        const double total = std::accumulate(row, row + source, nulls[j]);
        likelihood += std::log(total / static_cast<double>(source + 1));
        nulls[j] /= total;
        for (std::int64_t i = 0; i < source; ++i) {
            row[i] /= total;
        }
    }
    return likelihood;
}

}  // namespace

EmDirection::EmDirection(const Bitext& bitext, std::int32_t reach, std::int64_t cached_cells, int jobs)
    : table(bitext, jobs), jumps(reach), bitext_(bitext), longest_source_(longest(bitext.source)) {
    const auto offsets = count_cells(bitext);
    if (offsets.back() > cached_cells) {
        return;
    }
    cells_.resize(offsets.back());
    for_each_block(offsets.data(), bitext.source.segments, jobs,
                   [&](std::int64_t first, std::int64_t last) {
                       Pace pace;
                       for (std::int64_t s = first; s < last; ++s) {
                           pace.work(8 * bitext.source.length(s) * bitext.target.length(s));
                           find_cells(s, cells_.data() + offsets[s]);
                       }
                   });
}

void EmDirection::find_cells(std::int64_t sentence, std::uint32_t* cells) const {
    const TableView view = table.view();
    const std::int32_t* source = bitext_.source.begin(sentence);
    const std::int32_t* target = bitext_.target.begin(sentence);
    const std::int64_t n = bitext_.source.length(sentence);
    const std::int64_t m = bitext_.target.length(sentence);
    // One row after the other, while it is in the cache.
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < m; ++j) {
            cells[j * n + i] = static_cast<std::uint32_t>(view.find(source[i], target[j]));
        }
    }
}

// What the sentences first_block..last_block expect: per direction a posterior for every pair of
// tokens and for NULL with every target token.
struct EmTrainer::Chunk {
    struct Side {
        WorkVector<double> cells;
        WorkVector<double> nulls;
        WorkVector<std::uint32_t> found;
        const std::uint32_t* entries = nullptr;
        std::int64_t first_token = 0;
        PlainVector<double> likelihoods;
        PlainVector<JumpCounts> jumps;
    };
    std::array<Side, 2> sides;
    std::int64_t first_block = 0;
    std::int64_t last_block = 0;
    std::int64_t first = 0;  // sentences
    std::int64_t last = 0;
};

EmTrainer::EmTrainer(const Bitext& bitext, std::int32_t reach, std::int64_t cached_cells, int jobs)
    : cell_offsets_(count_cells(bitext)), blocks_(cut_blocks(cell_offsets_)), jobs_(jobs) {
    directions_[0] = std::make_unique<EmDirection>(bitext, reach, cached_cells, jobs);
    directions_[1] = std::make_unique<EmDirection>(reversed(bitext), reach, cached_cells, jobs);
}

std::array<double, 2> EmTrainer::model1() {
    return iterate(Model::kModel1, {}, false);
}

std::array<double, 2> EmTrainer::hmm(JumpOptions options, bool agree) {
    return iterate(Model::kHmm, options, agree);
}

std::array<double, 2> EmTrainer::iterate(Model model, JumpOptions options, bool agreeing) {
    std::array<double, 2> likelihoods{};
    std::array<JumpCounts, 2> jumps{JumpCounts(directions_[0]->jumps.reach),
                                    JumpCounts(directions_[1]->jumps.reach)};
    const auto blocks = static_cast<std::int64_t>(blocks_.size()) - 1;
    const auto cell_at = [&](std::int64_t block) {
        return cell_offsets_[blocks_[block]];
    };
    Chunk chunk;
    for (std::int64_t block = 0; block < blocks; block = chunk.last_block) {
        chunk.first_block = block;
        chunk.last_block = block + 1;
        while (chunk.last_block < blocks &&
               cell_at(chunk.last_block + 1) - cell_at(block) <= kChunkCells) {
            ++chunk.last_block;
        }
        chunk.first = blocks_[chunk.first_block];
        chunk.last = blocks_[chunk.last_block];
        for (const std::size_t which : {0U, 1U}) {
            expect(which, model, options, chunk);
            auto& side = chunk.sides[which];
            for (std::size_t b = 0; b < side.likelihoods.size(); ++b) {
                likelihoods[which] += side.likelihoods[b];
                jumps[which].add(side.jumps[b]);
            }
        }
        if (agreeing) {
            agree(chunk);
        }
        accumulate(0, chunk);
        accumulate(1, chunk);
    }
    for (const std::size_t which : {0U, 1U}) {
        directions_[which]->table.normalize(jobs_);
        if (model == Model::kHmm) {
            update(directions_[which]->jumps, jumps[which]);
        }
    }
    return likelihoods;
}

void EmTrainer::expect(std::size_t which, Model model, JumpOptions options, Chunk& chunk) {
    const EmDirection& direction = *directions_[which];
    auto& side = chunk.sides[which];
    const Batch& source = direction.bitext_.source;
    const Batch& target = direction.bitext_.target;
    const std::int64_t base = cell_offsets_[chunk.first];
    const std::int64_t cells = cell_offsets_[chunk.last] - base;
    side.first_token = target.offsets[chunk.first];
    side.cells.resize(cells);
    side.nulls.resize(target.offsets[chunk.last] - side.first_token);
    const bool remembered = !direction.cells_.empty();
    side.found.resize(remembered ? 0 : cells);
    side.entries = remembered ? direction.cells_.data() + base : side.found.data();
    const std::int64_t blocks = chunk.last_block - chunk.first_block;
    side.likelihoods.assign(blocks, 0.0);
    side.jumps.assign(blocks, JumpCounts(direction.jumps.reach));
    PlainVector<std::int64_t> weights(blocks + 1);
    for (std::int64_t b = 0; b <= blocks; ++b) {
        const auto sentence = blocks_[chunk.first_block + b];
        weights[b] = cell_offsets_[sentence] - base;
    }
    const double* probabilities = direction.table.probabilities.data();
    const double least = model == Model::kHmm ? kUnseen : 0.0;

    const auto one = [&](std::int64_t s, JumpChain& chain, std::size_t block) {
        const std::int64_t n = source.length(s);
        const std::int64_t m = target.length(s);
        const auto start = cell_offsets_[s] - base;
        double* out = side.cells.data() + start;
        double* nulls = side.nulls.data() + (target.offsets[s] - side.first_token);
        if (!remembered) {
            direction.find_cells(s, side.found.data() + start);
        }
        for (std::int64_t c = 0; c < n * m; ++c) {
            out[c] = std::max(probabilities[side.entries[start + c]], least);
        }
        for (std::int64_t j = 0; j < m; ++j) {
            nulls[j] = std::max(probabilities[target.values[target.offsets[s] + j]], least);
        }
        side.likelihoods[block] +=
            model == Model::kModel1
                ? model1_posteriors(n, m, out, nulls)
                : chain.posteriors(static_cast<std::int32_t>(n), static_cast<std::int32_t>(m), out,
                                   nulls, &side.jumps[block]);
    };
    for_each_block(weights.data(), blocks, jobs_, [&](std::int64_t first, std::int64_t last) {
        JumpChain chain(direction.jumps, options, direction.longest_source_);
        Pace pace;
        for (std::int64_t b = first; b < last; ++b) {
            const auto block = static_cast<std::size_t>(chunk.first_block + b);
            for (std::int64_t s = blocks_[block]; s < blocks_[block + 1]; ++s) {
                pace.work(8 * source.length(s) * target.length(s) + 1);
                one(s, chain, static_cast<std::size_t>(b));
            }
        }
    });
}

void EmTrainer::agree(Chunk& chunk) const {
    const Bitext& bitext = directions_[0]->bitext_;
    const std::int64_t base = cell_offsets_[chunk.first];
    for (std::int64_t s = chunk.first; s < chunk.last; ++s) {
        const std::int64_t n = bitext.source.length(s);
        const std::int64_t m = bitext.target.length(s);
        const auto start = cell_offsets_[s] - base;
        double* forward = chunk.sides[0].cells.data() + start;
        double* reverse = chunk.sides[1].cells.data() + start;
        for (std::int64_t j = 0; j < m; ++j) {
            for (std::int64_t i = 0; i < n; ++i) {
                forward[j * n + i] = reverse[i * m + j] = forward[j * n + i] * reverse[i * m + j];
            }
        }
    }
}

// Each thread takes a range of rows and walks through all sentences: a row's sums are made in the
// order of the text whoever makes them.
void EmTrainer::accumulate(std::size_t which, const Chunk& chunk) {
    EmDirection& direction = *directions_[which];
    const auto& side = chunk.sides[which];
    const Batch& source = direction.bitext_.source;
    const Batch& target = direction.bitext_.target;
    const std::int64_t base = cell_offsets_[chunk.first];
    double* counts = direction.table.counts.data();
    for_each_block(
        direction.table.offsets.data(), direction.table.rows(), jobs_,
        [&](std::int64_t first_row, std::int64_t last_row) {
            Pace pace;
            for (std::int64_t s = chunk.first; s < chunk.last; ++s) {
                const std::int64_t n = source.length(s);
                const std::int64_t m = target.length(s);
                pace.work(n * m + 1);
                const auto start = cell_offsets_[s] - base;
                const double* cells = side.cells.data() + start;
                const std::uint32_t* entries = side.entries + start;
                if (first_row == 0 && last_row > 0) {
                    const std::int64_t token = target.offsets[s];
                    for (std::int64_t j = 0; j < m; ++j) {
                        counts[target.values[token + j]] +=
                            side.nulls[token + j - side.first_token];
                    }
                }
                for (std::int64_t i = 0; i < n; ++i) {
                    const std::int64_t row = source.values[source.offsets[s] + i] + 1;
                    if (row < first_row || row >= last_row) {
                        continue;
                    }
                    for (std::int64_t c = i; c < n * m; c += n) {
                        counts[entries[c]] += cells[c];
                    }
                }
            }
        });
}

void decode(const Bitext& bitext, const TableView& table, const JumpModel& jumps,
            JumpOptions options, Decoding decoding, int jobs, std::int32_t* positions) {
    const auto offsets = count_cells(bitext);
    const Batch& source = bitext.source;
    const Batch& target = bitext.target;
    const std::int32_t longest_source = longest(source);
    const auto probability = [&](std::int64_t entry) {
        return entry < 0 ? kUnseen : std::max(table.probabilities[entry], kUnseen);
    };
    const double missing = decoding == Decoding::kModel1 ? 0.0 : kUnseen;
    const auto best_of = [](const double* row, std::int32_t n, double null) {
        const auto best = static_cast<std::int32_t>(std::max_element(row, row + n) - row);
        return n > 0 && row[best] >= null ? best : -1;
    };
    for_each_block(offsets.data(), source.segments, jobs, [&](std::int64_t first, std::int64_t last) {
        JumpChain chain(jumps, options, longest_source);
        PlainVector<double> cells;
        PlainVector<double> nulls;
        Pace pace;
        for (std::int64_t s = first; s < last; ++s) {
            const auto n = static_cast<std::int32_t>(source.length(s));
            const auto m = static_cast<std::int32_t>(target.length(s));
            std::int32_t* links = positions + target.offsets[s];
            pace.work(8 * std::int64_t{n} * m + 1);
            const std::int32_t* ours = source.begin(s);
            const std::int32_t* theirs = target.begin(s);
            cells.resize(std::int64_t{n} * m);
            nulls.resize(m);
            for (std::int32_t j = 0; j < m; ++j) {
                nulls[j] = probability(theirs[j]);
            }
            for (std::int32_t i = 0; i < n; ++i) {
                for (std::int32_t j = 0; j < m; ++j) {
                    const std::int64_t entry = table.find(ours[i], theirs[j]);
                    cells[std::int64_t{j} * n + i] = entry < 0 ? missing : probability(entry);
                }
            }
            if (decoding == Decoding::kBestPath) {
                chain.best_path(n, m, cells.data(), nulls.data(), links);
                continue;
            }
            if (decoding == Decoding::kPosterior) {
                chain.posteriors(n, m, cells.data(), nulls.data(), nullptr);
            }
            for (std::int32_t j = 0; j < m; ++j) {
                links[j] = best_of(cells.data() + std::int64_t{j} * n, n,
                                   nulls[j]);
            }
        }
    });
}

}  // namespace kilter
