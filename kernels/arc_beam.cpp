#include "arc_beam.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "arc_state.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

struct Step {
    int move;
    std::int32_t name;  // of the arc, -1 for a shift
};

// The best label costs nothing, so that it need not be known before its arc is chosen.
constexpr std::int32_t unnamed = -2;

// Derivations share what they have in common: the words below the top of a stack, and the moves so far. So
// memory grows with the words of a sentence, and a step costs the same however long the sentence is.
class Search {
public:
    Search(const WordRows& words, const std::int32_t* tags) : words_(words), tags_(tags) {
        stacks_.push_back({Piece{.word = -1}, -1});
        Derivation start;
        start.front = waiting(0);
        beam_.push_back(start);
    }

    std::int32_t steps() const { return 2 * words_.count; }

    // Goes one step with every derivation of the beam and keeps the best; equally good ones stay in the order
    // of their parents and moves.
    template <class Table>
    void advance(const Table& moves, const Table& labels, BeamSettings settings) {
        choices_.clear();
        seen_.clear();
        views_.clear();
        for (std::size_t k = 0; k < beam_.size(); ++k) {
            const Derivation& from = beam_[k];
            const View& view = view_of(surroundings(from), moves);
            for (int move = 0; move < transitions; ++move) {
                if (!allowed_move(move, from.next < words_.count, from.depth)) {
                    continue;
                }
                const std::int64_t score = from.score + view.scores[move];
                // The root has one label: whatever else it is called would be the same tree again.
                const bool to_root = move == right && view.here.s1.word < 0;
                if (move == shift || settings.labels < 2 || to_root) {
                    choices_.push_back({score, k, {move, move == shift ? -1 : unnamed}});
                    continue;
                }
                add_labels(score, k, move, best_label(view.here, move, labels), settings.labels);
            }
        }
        const auto kept = std::min(choices_.size(), static_cast<std::size_t>(settings.width));
        order_.resize(choices_.size());
        for (std::size_t k = 0; k < order_.size(); ++k) {
            order_[k] = k;
        }
        std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(kept), order_.end(),
                          [&](std::size_t a, std::size_t b) {
                              return choices_[a].score != choices_[b].score ? choices_[a].score > choices_[b].score
                                                                            : a < b;
                          });
        next_beam_.clear();
        for (std::size_t k = 0; k < kept; ++k) {
            Choice chosen = choices_[order_[k]];
            if (chosen.step.name == unnamed) {
                View& view = views_[seen_[chosen.from]];
                std::int32_t& best = view.best[chosen.step.move];
                if (best == unnamed) {
                    best = best_label(view.here, chosen.step.move, labels);
                }
                chosen.step.name = best;
            }
            next_beam_.push_back(after(chosen));
        }
        std::swap(beam_, next_beam_);
    }

    std::size_t kept() const { return beam_.size(); }
    std::int64_t score(std::size_t k) const { return beam_[k].score; }
    std::vector<Step> derivation(std::size_t k) const {
        std::vector<Step> found;
        for (std::int32_t at = beam_[k].last; at >= 0; at = history_[at].before) {
            found.push_back(history_[at].step);
        }
        std::reverse(found.begin(), found.end());
        return found;
    }
    // The place in the beam of the derivation that goes on from `place` by a move; -1 if there is none.
    std::ptrdiff_t follow(std::int32_t before, int move) const {
        for (std::size_t k = 0; k < beam_.size(); ++k) {
            const Past& past = history_[beam_[k].last];
            if (past.before == before && past.step.move == move) {
                return static_cast<std::ptrdiff_t>(k);
            }
        }
        return -1;
    }
    std::int32_t last(std::size_t k) const { return beam_[k].last; }

private:
    struct Stacked {
        Piece piece;
        std::int32_t below;
    };
    struct Past {
        std::int32_t before;
        Step step;
    };
    struct Derivation {
        std::int64_t score = 0;
        std::int32_t top = 0;
        std::size_t depth = 1;
        std::int32_t next = 0;
        Piece front;
        std::int32_t last = -1;
    };
    struct Choice {
        std::int64_t score;
        std::size_t from;
        Step step;
    };

    // What a derivation sees. Many see the same, because they differ further back only: it is scored once.
    struct View {
        Surroundings here;
        std::int32_t scores[transitions];
        std::int32_t best[transitions];  // label of each move, where it is known
    };

    // Returns the view of the next derivation of the beam.
    template <class Table>
    const View& view_of(const Surroundings& here, const Table& moves) {
        for (std::size_t k = 0; k < views_.size(); ++k) {
            if (views_[k].here.same(here)) {
                seen_.push_back(k);
                return views_[k];
            }
        }
        move_features(here, features_);
        moves.score(features_, scores_);
        seen_.push_back(views_.size());
        views_.push_back({here, {scores_[0], scores_[1], scores_[2]}, {unnamed, unnamed, unnamed}});
        return views_.back();
    }

    template <class Table>
    int best_label(const Surroundings& here, int move, const Table& labels) {
        return labeller_.best(labels, here, move == left ? here.b0 : here.s1);
    }

    Piece waiting(std::int32_t word) const { return Piece{.word = word < words_.count ? word : no_word}; }

    Surroundings surroundings(const Derivation& from) const {
        Surroundings here{words_, tags_, stacks_[from.top].piece, {}, no_word, from.front};
        const std::int32_t below = stacks_[from.top].below;
        if (below >= 0) {
            here.s1 = stacks_[below].piece;
            here.s2 = stacks_[below].below >= 0 ? stacks_[stacks_[below].below].piece.word : no_word;
        }
        return here;
    }

    void add_labels(std::int64_t score, std::size_t from, int move, int best, int most) {
        const std::vector<std::int32_t>& scores = labeller_.scores();
        choices_.push_back({score, from, {move, best}});
        ranked_.clear();
        for (int name = 0; name < static_cast<int>(scores.size()); ++name) {
            if (name != best) {
                ranked_.push_back({scores[static_cast<std::size_t>(name)], name});
            }
        }
        const auto others = std::min(ranked_.size(), static_cast<std::size_t>(most - 1));
        std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(others), ranked_.end(),
                          [](const auto& a, const auto& b) {
                              return a.first != b.first ? a.first > b.first : a.second < b.second;
                          });
        for (std::size_t k = 0; k < others; ++k) {
            const std::int64_t below = scores[static_cast<std::size_t>(best)] - ranked_[k].first;
            choices_.push_back({score - below, from, {move, ranked_[k].second}});
        }
    }

    Derivation after(const Choice& choice) {
        Derivation made = beam_[choice.from];
        made.score = choice.score;
        history_.push_back({made.last, choice.step});
        made.last = static_cast<std::int32_t>(history_.size()) - 1;
        if (choice.step.move == shift) {
            stacks_.push_back({made.front, made.top});
            made.top = static_cast<std::int32_t>(stacks_.size()) - 1;
            ++made.depth;
            made.front = waiting(++made.next);
            return made;
        }
        const Stacked taken = stacks_[made.top];
        --made.depth;
        if (choice.step.move == left) {
            made.front.take(taken.piece.word, choice.step.name);
            made.top = taken.below;
            return made;
        }
        Stacked head = stacks_[taken.below];
        head.piece.take(taken.piece.word, choice.step.name);
        stacks_.push_back(head);
        made.top = static_cast<std::int32_t>(stacks_.size()) - 1;
        return made;
    }

    const WordRows& words_;
    const std::int32_t* tags_;
    PlainVector<Stacked> stacks_;
    PlainVector<Past> history_;
    std::vector<Derivation> beam_;
    std::vector<Derivation> next_beam_;
    std::vector<Choice> choices_;
    std::vector<View> views_;
    std::vector<std::size_t> seen_;  // of each derivation, the number of its view
    std::vector<std::size_t> order_;
    std::vector<std::pair<std::int32_t, int>> ranked_;
    Features features_;
    std::vector<std::int32_t> scores_;  // of moves
    ArcLabeller labeller_;
};

void add_found(const PerceptronTable& moves, const PerceptronTable& labels, const WordRows& words,
               const std::int32_t* tags, BeamSettings settings, std::vector<ScoredTree>& found) {
    Search search(words, tags);
    Pace pace;
    for (std::int32_t step = 0; step < search.steps(); ++step) {
        pace.work(4096 * settings.width);
        search.advance(moves, labels, settings);
    }
    for (std::size_t k = 0; k < search.kept(); ++k) {
        State state(words, tags);
        for (const Step& step : search.derivation(k)) {
            state.apply(step.move, step.name);
        }
        found.push_back({search.score(k), std::move(state.heads), std::move(state.names)});
    }
}

// The moves that lose the fewest arcs, each as early as it can be made: one derivation for each tree.
std::vector<int> true_moves(const WordRows& words, const std::int32_t* tags, const std::int32_t* heads) {
    State state(words, tags);
    std::vector<int> found;
    while (!state.done()) {
        int chosen = -1;
        int least = std::numeric_limits<int>::max();
        for (const int move : {left, right, shift}) {
            if (state.allowed(move) && state.cost(move, heads) < least) {
                least = state.cost(move, heads);
                chosen = move;
            }
        }
        found.push_back(chosen);
        state.apply(chosen, 0);
    }
    return found;
}

// Adds to the weights of a derivation's moves, from the first that matters.
void add_moves(LearningTable& moves, const WordRows& words, const std::int32_t* tags,
               const std::vector<Step>& steps, std::size_t from, std::int32_t by) {
    State state(words, tags);
    Features features;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        if (k >= from) {
            move_features(state.surroundings(), features);
            moves.add(features, steps[k].move, by);
        }
        state.apply(steps[k].move, steps[k].name);
    }
}

}  // namespace

std::vector<ScoredTree> beam_trees(const PerceptronTable& moves, const PerceptronTable& labels,
                                   const WordRows& words, const std::int32_t* tags, BeamSettings settings,
                                   std::size_t most) {
    std::vector<ScoredTree> found;
    add_found(moves, labels, words, tags, {1, 1}, found);
    if (settings.width > 1) {
        add_found(moves, labels, words, tags, {settings.width, 1}, found);
    }
    if (settings.width > 1 && settings.labels > 1) {
        add_found(moves, labels, words, tags, settings, found);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const ScoredTree& a, const ScoredTree& b) { return a.score > b.score; });
    std::vector<ScoredTree> chosen;
    std::set<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>> seen;
    for (ScoredTree& tree : found) {
        if (chosen.size() < most && seen.emplace(tree.heads, tree.names).second) {
            chosen.push_back(std::move(tree));
        }
    }
    return chosen;
}

void learn_beam(LearningTable& moves, LearningTable& labels, const WordRows& words, const std::int32_t* tags,
                const std::int32_t* heads, const std::int32_t* names, int width) {
    const std::vector<int> right_moves = true_moves(words, tags, heads);
    // The labels are guessed along the true moves as they are in the beam, and learned where they are wrong.
    ArcLabeller labeller;
    Pace pace;
    State state(words, tags);
    std::vector<Step> right_steps;
    Search search(words, tags);
    moves.step();
    std::ptrdiff_t place = 0;
    for (std::size_t k = 0; k < right_moves.size() && place >= 0; ++k) {
        pace.work(4096 * width);
        const std::int32_t before = search.last(static_cast<std::size_t>(place));
        search.advance(moves, labels, {width, 1});
        place = search.follow(before, right_moves[k]);
        const bool over = k + 1 == right_moves.size();
        if (place < 0 || (over && place > 0)) {
            right_steps.clear();
            State truth(words, tags);
            for (std::size_t j = 0; j <= k; ++j) {
                const Step step{right_moves[j], labeller.best(labels, truth, right_moves[j])};
                right_steps.push_back(step);
                truth.apply(step.move, step.name);
            }
            const std::vector<Step> guessed = search.derivation(0);
            std::size_t same = 0;
            while (same < right_steps.size() && right_steps[same].move == guessed[same].move) {
                ++same;
            }
            add_moves(moves, words, tags, right_steps, same, 1);
            add_moves(moves, words, tags, guessed, same, -1);
        }
    }
    for (const int move : right_moves) {
        state.apply(move, labeller.learn(labels, state, move, heads, names));
    }
}

}  // namespace kilter
