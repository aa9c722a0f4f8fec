// One state of the transition parser that ends in a projective tree with one root, and what its mistakes cost.
#pragma once

#include <cstdint>
#include <vector>

#include "arc_features.hpp"

namespace kilter {

enum Transition { shift, left, right, transitions };

// Whether a move is possible, with words waiting in the buffer or not and so many on the stack, the root counted.
inline bool allowed_move(int move, bool waiting, std::size_t depth) {
    if (move == shift) {
        return waiting;
    }
    if (depth < 2) {
        return false;
    }
    // The root takes a word only when it is the last one left: that makes the root single.
    return move == left ? waiting : depth > 2 || !waiting;
}

// The stack, whose bottom is the root (-1), the next word of the buffer, and the arcs so far.
class State {
public:
    State(const WordRows& words, const std::int32_t* tags)
        : words_(words),
          tags_(tags),
          heads(words.count, no_word),
          names(words.count, -1),
          pieces_(heads.size() + 1) {
        for (std::int32_t word = -1; word < words.count; ++word) {
            pieces_[word + 1].word = word;
        }
        stack_.push_back(-1);
    }

    bool done() const { return next_ == words_.count && stack_.size() == 1; }
    bool allowed(int move) const {
        return allowed_move(move, next_ < words_.count, stack_.size());
    }
    std::int32_t top(std::size_t depth = 0) const {
        return depth < stack_.size() ? stack_[stack_.size() - 1 - depth] : no_word;
    }
    std::int32_t next() const { return next_ < words_.count ? next_ : no_word; }
    // The head that a move other than a shift gives to the top of the stack.
    std::int32_t head_of(int move) const { return move == left ? next_ : top(1); }
    // Makes a move; `name` is the label of the arc, which a shift does not have.
    void apply(int move, std::int32_t name) {
        if (move == shift) {
            stack_.push_back(next_++);
            return;
        }
        const std::int32_t head = head_of(move);
        const std::int32_t word = stack_.back();
        stack_.pop_back();
        heads[word] = head;
        names[word] = name;
        pieces_[head + 1].take(word, name);
    }
    Piece piece(std::int32_t word) const { return word >= -1 ? pieces_[word + 1] : Piece{}; }
    Surroundings surroundings() const {
        return {words_, tags_, piece(top()), piece(top(1)), top(2), piece(next())};
    }
    // How many arcs of the true tree a move makes impossible.
    int cost(int move, const std::int32_t* gold) const;

private:
    const WordRows& words_;
    const std::int32_t* tags_;

public:
    PlainVector<std::int32_t> heads;
    PlainVector<std::int32_t> names;

private:
    PlainVector<Piece> pieces_;  // the root first
    std::vector<std::int32_t> stack_;
    std::int32_t next_ = 0;
};

inline int State::cost(int move, const std::int32_t* gold) const {
    const std::int32_t s0 = top(), s1 = top(1), b0 = next();
    int lost = 0;
    if (move == shift) {
        for (std::size_t depth = 0; depth < stack_.size(); ++depth) {
            const std::int32_t word = top(depth);
            lost += depth > 0 && word == gold[b0];
            lost += word >= 0 && gold[word] == b0;
        }
        return lost;
    }
    for (std::int32_t word = next_; word < words_.count; ++word) {
        lost += gold[word] == s0;
        lost += gold[s0] == word && !(move == left && word == b0);
    }
    return lost + (move == left && gold[s0] == s1);
}

// The labels of arcs, for greedy search and for beams.
class ArcLabeller {
public:
    // Scores the labels of an arc from a head to the top of the stack, and returns the best.
    template <class Table>
    int best(const Table& labels, const Surroundings& here, const Piece& head) {
        label_features(here, head, features_);
        labels.score(features_, scores_);
        return best_class(scores_);
    }
    // The best label of the arc that a move makes; -1 for a shift.
    template <class Table>
    int best(const Table& labels, const State& state, int move) {
        return move == shift ? -1 : best(labels, state.surroundings(), state.piece(state.head_of(move)));
    }
    // The same, which is then learned where the arc is right and its label is wrong.
    int learn(LearningTable& labels, const State& state, int move, const std::int32_t* heads,
              const std::int32_t* names) {
        const int name = best(labels, state, move);
        if (move == shift) {
            return name;
        }
        const std::int32_t word = state.top();
        labels.step();
        if (state.head_of(move) == heads[word] && name != names[word]) {
            labels.learn(features_, names[word], name);
        }
        return name;
    }
    // Of all labels of the last arc.
    const std::vector<std::int32_t>& scores() const { return scores_; }

private:
    Features features_;
    std::vector<std::int32_t> scores_;
};

}  // namespace kilter
