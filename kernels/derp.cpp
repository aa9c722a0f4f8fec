#include "derp.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "union_find.hpp"
#include "short_paths.hpp"
#include "threads.hpp"
#include "tree_way.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// A key is compared as a whole: L and L_max in 32 bits each, or the path length, L and L_max in 21.
using Key = std::int64_t;
constexpr int kHalf = 32;
constexpr int kThird = 21;
// Words of a sentence for which three numbers fit into a key.
constexpr std::int64_t kMostReferenceWords = std::int64_t{1} << (kThird - 2);

// One side of a segment: a tree with labels; none where sentences are flattened.
struct Side {
    const std::int32_t* heads = nullptr;
    const std::int32_t* labels = nullptr;
    std::int64_t size = 0;
};

// One segment after another, on one thread.
class PathComparer {
public:
    explicit PathComparer(PathKind kind) : kind_(kind) {}

    void compare(const Side& first, const Side& second, const std::int32_t* links, std::int64_t count,
                 std::int64_t* row) {
        if (ShortPaths::fits(links, count, kind_ == PathKind::kReference ? 0 : first.size,
                             second.size) &&
            (kind_ == PathKind::kReference || !ShortPaths::many_to_many(links, count))) {
            short_.compare(kind_, first.heads, first.labels, first.size, second.heads, second.labels,
                           second.size, links, count, row);
            return;
        }
        if (!load(first, second, links, count)) {
            row[0] = row[1] = -1;
            return;
        }
        row[0] = row[1] = 0;
        if (count < 2) {
            return;
        }
        fill_keys();
        if (kind_ != PathKind::kReference && many_to_many()) {
            for (const PathEdge& edge : two_passes()) {
                row[0] += edge.cost;
                row[1] += edge.most;
            }
        } else {
            span(row);
        }
    }

    std::vector<PathEdge> edges(const Side& first, const Side& second, const std::int32_t* links,
                                std::int64_t count) {
        if (!load(first, second, links, count)) {
            throw std::invalid_argument("the trees are too large");
        }
        fill_keys();
        return kind_ == PathKind::kReference ? reference_edges() : two_passes();
    }

private:
    bool load(const Side& first, const Side& second, const std::int32_t* links, std::int64_t count) {
        if (count > 0 && count > kMostPathPairs / count) {
            return false;
        }
        first_ = first;
        second_ = second;
        partners_.clear();
        words_.clear();
        for (std::int64_t k = 0; k < count; ++k) {
            partners_.push_back(links[2 * k]);
            words_.push_back(links[2 * k + 1]);
        }
        if (kind_ == PathKind::kLabels || kind_ == PathKind::kStructure) {
            one_.load(first.heads, static_cast<std::int32_t>(first.size));
        }
        if (kind_ != PathKind::kFlat) {
            other_.load(second.heads, static_cast<std::int32_t>(second.size));
        }
        if (kind_ == PathKind::kReference) {
            return count == 0 || std::max(last_of(words_), last_of(partners_)) < kMostReferenceWords;
        }
        if (kind_ != PathKind::kLabels) {
            return true;
        }
        double cells = 0.0;
        for (std::size_t k = 0; k < words_.size(); ++k) {
            const double table = (one_.depth(partners_[k]) + 1.0) * (other_.depth(words_[k]) + 1.0);
            if (table > static_cast<double>(kMostPathPairs)) {
                return false;
            }
            cells += table;
        }
        return cells <= static_cast<double>(kMostPathCells);
    }

    // The key of every two links: each adds what concerns the way from its own words up to what they
    // have in common with the other's.
    void fill_keys() {
        const std::size_t count = words_.size();
        keys_.resize(count * count);
        for (std::size_t k = 0; k < count; ++k) {
            pace_.work(static_cast<std::int64_t>(count) + second_.size);
            fill_half(k, keys_.data() + k * count);
        }
        const Key once = kind_ == PathKind::kReference ? Key{1} << kThird : Key{1} << kHalf;
        for (std::size_t k = 0; k < count; ++k) {
            keys_[k * count + k] = 0;
            pace_.work(static_cast<std::int64_t>(k));
            for (std::size_t m = 0; m < k; ++m) {
                Key& key = keys_[k * count + m];
                Key& mirrored = keys_[m * count + k];
                if (words_[k] == words_[m] || partners_[k] == partners_[m]) {
                    key = mirrored = 0;
                    continue;
                }
                const bool turned = (words_[k] < words_[m]) != (partners_[k] < partners_[m]);
                key = mirrored = key + mirrored + 1 + (turned ? once : 0);
            }
        }
    }

    void fill_half(std::size_t k, Key* row) {
        const std::size_t count = words_.size();
        if (kind_ == PathKind::kFlat || kind_ == PathKind::kReference) {
            if (kind_ == PathKind::kReference) {
                other_.look_from(words_[k]);
            }
            for (std::size_t m = 0; m < count; ++m) {
                const Key up = std::max(words_[k] - words_[m], 0);
                const Key partner_up = std::max(partners_[k] - partners_[m], 0);
                const Key cost = up < partner_up ? partner_up - up : up - partner_up;
                const Key most = std::max(up, partner_up);
                row[m] = kind_ == PathKind::kFlat
                             ? (cost << kHalf) + most
                             : (Key{other_.up(words_[m])} << 2 * kThird) + (cost << kThird) + most;
            }
            return;
        }
        one_.look_from(partners_[k]);
        other_.look_from(words_[k]);
        if (kind_ == PathKind::kLabels) {
            table_.fill(one_, first_.labels, partners_[k], other_, second_.labels, words_[k]);
        }
        for (std::size_t m = 0; m < count; ++m) {
            const std::int32_t partner_up = one_.up(partners_[m]);
            const std::int32_t up = other_.up(words_[m]);
            const Key cost = kind_ == PathKind::kLabels ? table_.at(partner_up, up)
                             : up < partner_up          ? partner_up - up
                                                        : up - partner_up;
            row[m] = (cost << kHalf) + std::max(up, partner_up);
        }
    }

    // Whether some link joins two words that both have other partners: exactly then a group of linked
    // words has several on both sides.
    bool many_to_many() {
        count_links();
        for (std::size_t k = 0; k < words_.size(); ++k) {
            if (joins_many(k)) {
                return true;
            }
        }
        return false;
    }

    bool joins_many(std::size_t k) const {
        return word_links_[words_[k]] > 1 && partner_links_[partners_[k]] > 1;
    }

    void count_links() {
        word_links_.assign(1 + last_of(words_), 0);
        partner_links_.assign(1 + last_of(partners_), 0);
        for (std::size_t k = 0; k < words_.size(); ++k) {
            ++word_links_[words_[k]];
            ++partner_links_[partners_[k]];
        }
    }

    static std::int32_t last_of(const PlainVector<std::int32_t>& words) {
        return *std::max_element(words.begin(), words.end());
    }

    // Prim's algorithm on links: those that share a word are one node of the graph, since a key of 0
    // joins them. The sums of least keys do not depend on which of equal ones are chosen.
    void span(std::int64_t* row) {
        const std::size_t count = words_.size();
        best_.assign(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(count));
        left_.resize(count - 1);
        std::iota(left_.begin(), left_.end(), 1);
        const int shift = kind_ == PathKind::kReference ? kThird : kHalf;
        const Key low = (Key{1} << shift) - 1;
        while (!left_.empty()) {
            std::size_t place = 0;
            pace_.work(2 * static_cast<std::int64_t>(left_.size()));
            for (std::size_t k = 1; k < left_.size(); ++k) {
                place = best_[left_[k]] < best_[left_[place]] ? k : place;
            }
            const std::int32_t next = left_[place];
            row[0] += (best_[next] >> shift) & low;
            row[1] += best_[next] & low;
            left_[place] = left_.back();
            left_.pop_back();
            const Key* keys = keys_.data() + static_cast<std::size_t>(next) * count;
            for (const std::int32_t k : left_) {
                best_[k] = std::min(best_[k], keys[k]);
            }
        }
    }

    struct Candidate {
        Key key;
        std::int32_t word, other, partner, other_partner;

        auto order() const { return std::make_tuple(key, word, other, partner, other_partner); }
        bool operator<(const Candidate& candidate) const { return order() < candidate.order(); }
    };

    // Pairs of links between four different words, the smaller word of the second sentence first.
    void sort_candidates() {
        candidates_.clear();
        const std::size_t count = words_.size();
        for (std::size_t k = 0; k < count; ++k) {
            pace_.work(2 * static_cast<std::int64_t>(count));
            for (std::size_t m = 0; m < count; ++m) {
                if (words_[k] < words_[m] && partners_[k] != partners_[m]) {
                    candidates_.push_back({keys_[k * count + m], words_[k], words_[m], partners_[k],
                                           partners_[m]});
                }
            }
        }
        std::sort(candidates_.begin(), candidates_.end(),
                  [this](const Candidate& left, const Candidate& right) {
                      pace_.work(8);
                      return left < right;
                  });
    }

    PathEdge edge_of(const Candidate& candidate) const {
        const int shift = kind_ == PathKind::kReference ? kThird : kHalf;
        const Key low = (Key{1} << shift) - 1;
        return {candidate.word,
                candidate.other,
                candidate.partner,
                candidate.other_partner,
                (candidate.key >> shift) & low,
                candidate.key & low};
    }

    // Kruskal's algorithm on the second sentence and then on the first, after joins at no cost inside
    // groups of linked words that are one-to-many or many-to-one.
    std::vector<PathEdge> two_passes() {
        std::vector<PathEdge> chosen;
        if (words_.empty()) {
            return chosen;
        }
        const std::int32_t size = 1 + last_of(words_);
        const std::int32_t partners = 1 + last_of(partners_);
        UnionFind second(size), first(partners);
        join_groups(size, partners, second, first, chosen);
        sort_candidates();
        for (const Candidate& candidate : candidates_) {
            if (second.join(candidate.word, candidate.other)) {
                first.join(candidate.partner, candidate.other_partner);
                chosen.push_back(edge_of(candidate));
            }
        }
        for (const Candidate& candidate : candidates_) {
            if (first.join(candidate.partner, candidate.other_partner)) {
                chosen.push_back(edge_of(candidate));
            }
        }
        return chosen;
    }

    void join_groups(std::int32_t size, std::int32_t partners, UnionFind& second, UnionFind& first,
                     std::vector<PathEdge>& chosen) {
        UnionFind groups(size + partners);
        for (std::size_t k = 0; k < words_.size(); ++k) {
            groups.join(words_[k], size + partners_[k]);
        }
        PlainVector<char> mixed(size + partners, 0);
        count_links();
        for (std::size_t k = 0; k < words_.size(); ++k) {
            if (joins_many(k)) {
                mixed[groups.find(words_[k])] = 1;
            }
        }
        for (std::size_t k = 0; k < words_.size(); ++k) {
            pace_.work(static_cast<std::int64_t>(k));
            for (std::size_t m = 0; m < k && mixed[groups.find(words_[k])] == 0; ++m) {
                if (partners_[m] == partners_[k] && second.join(words_[m], words_[k])) {
                    chosen.push_back({words_[m], words_[k], partners_[m], partners_[k], 0, 0});
                }
                if (words_[m] == words_[k] && first.join(partners_[m], partners_[k])) {
                    chosen.push_back({words_[m], words_[k], partners_[m], partners_[k], 0, 0});
                }
            }
        }
    }

    // Kruskal's algorithm on the words of the second sentence alone.
    std::vector<PathEdge> reference_edges() {
        std::vector<PathEdge> chosen;
        if (words_.empty()) {
            return chosen;
        }
        UnionFind second(1 + last_of(words_));
        for (std::size_t k = 0; k < words_.size(); ++k) {
            pace_.work(static_cast<std::int64_t>(k));
            for (std::size_t m = 0; m < k; ++m) {
                if (partners_[m] == partners_[k] && second.join(words_[m], words_[k])) {
                    chosen.push_back({words_[m], words_[k], partners_[m], partners_[k], 0, 0});
                }
            }
        }
        sort_candidates();
        for (const Candidate& candidate : candidates_) {
            if (second.join(candidate.word, candidate.other)) {
                chosen.push_back(edge_of(candidate));
            }
        }
        return chosen;
    }

    PathKind kind_;
    ShortPaths short_;
    Side first_, second_;
    PlainVector<std::int32_t> words_, partners_;  // of each link: the second word, and the first
    Depths one_, other_;
    LabelTable table_;
    WorkVector<Key> keys_, best_;
    PlainVector<std::int32_t> left_, word_links_, partner_links_;
    PlainVector<Candidate> candidates_;
    Pace pace_;
};

Side side_of(const LabelledTrees& trees, std::int64_t tree) {
    return {trees.trees.begin(tree), trees.labels == nullptr ? nullptr : trees.labels_of(tree),
            trees.trees.length(tree)};
}

}  // namespace

void path_disparities(const LabelledTrees& first, const LabelledTrees& second, const TreePairs& pairs,
                      const LinkRows& links, PathKind kind, int jobs, std::int64_t* rows) {
    PlainVector<std::int64_t> work(pairs.count + 1, 0);
    for (std::int64_t pair = 0; pair < pairs.count; ++pair) {
        const std::int64_t segment = pairs.segments[pair];
        const std::int64_t count = links.offsets[segment + 1] - links.offsets[segment];
        work[pair + 1] = work[pair] + std::min(count * count + 1, std::int64_t{1} << 32);
    }
    for_each_block(work.data(), pairs.count, jobs, [&](std::int64_t begin, std::int64_t end) {
        PathComparer comparer(kind);
        Pace pace;
        for (std::int64_t pair = begin; pair < end; ++pair) {
            pace.work(work[pair + 1] - work[pair]);
            const std::int64_t start = links.offsets[pairs.segments[pair]];
            const std::int64_t stop = links.offsets[pairs.segments[pair] + 1];
            comparer.compare(side_of(first, pairs.firsts[pair]), side_of(second, pairs.seconds[pair]),
                             links.pairs + 2 * start, stop - start, rows + pair * kPathColumns);
        }
    });
}

void reference_disparities(const TreeRows& second, const std::int64_t* seconds,
                           const std::int64_t* segments, std::int64_t count, const LinkRows& links,
                           int jobs, std::int64_t* rows) {
    const LabelledTrees trees{second, nullptr};
    path_disparities(trees, trees, {seconds, seconds, segments, count}, links, PathKind::kReference,
                     jobs, rows);
}

void flat_path_disparities(const LinkRows& links, int jobs, std::int64_t* rows) {
    for_each_block(links.offsets, links.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        PathComparer comparer(PathKind::kFlat);
        Pace pace;
        for (std::int64_t s = begin; s < end; ++s) {
            const std::int64_t count = links.offsets[s + 1] - links.offsets[s];
            pace.work(count * count + 1);
            comparer.compare({}, {}, links.pairs + 2 * links.offsets[s], count,
                             rows + s * kPathColumns);
        }
    });
}

std::vector<PathEdge> path_edges(const LabelledTrees& first, const LabelledTrees& second,
                                 const LinkRows& links, PathKind kind) {
    return PathComparer(kind).edges(side_of(first, 0), side_of(second, 0), links.pairs,
                                    links.offsets[1]);
}

}  // namespace kilter
