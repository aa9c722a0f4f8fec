#include "transformer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exponential.hpp"
#include "lanes.hpp"
#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// Words that share one pass over the keys and values of their sentence.
constexpr std::size_t kTogether = 4;
// Rows that go through a layer together: what lies between its products then stays in the cache of a core.
constexpr std::size_t kRowsTogether = 96;
// Columns of a wide product that are computed before anything is done with them.
constexpr std::size_t kColumnsTogether = 128;
static_assert(kColumnsTogether >= 3 * kHeadWidth);
constexpr float kLowest = -3.4e38F;

// What makes numbers of columns of sums.
struct Columns {
    const std::int32_t* shift;
    const float* unit;
    const float* bias;

    static Columns of(const Linear& linear) { return {linear.shift(), linear.unit(), linear.bias()}; }
    Columns from(std::size_t column) const { return {shift + column, unit + column, bias + column}; }
};

KILTER_INLINE float scaled(std::int32_t sum, std::int32_t shift, float unit, float bias) {
    const auto apart = static_cast<std::uint32_t>(sum) - static_cast<std::uint32_t>(shift);
    return static_cast<float>(static_cast<std::int32_t>(apart)) * unit + bias;
}

KILTER_INLINE std::uint8_t rounded(float number, Rounding rounding) {
    float value = number * rounding.inverse + rounding.zero;
    value = value < 0.0F ? 0.0F : value;
    value = value > 255.0F ? 255.0F : value;
    return static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(value + kWhole) & 0xFF);
}

// The error function as a quotient of polynomials, fitted so that its error stays below 2e-8 before rounding.
KILTER_INLINE float error_function(float x) {
    x = x < -3.95F ? -3.95F : x;
    x = x > 3.95F ? 3.95F : x;
    const float t = x * x;
    const float above =
        1.12837901F +
        t * (0.194036474F +
             t * (0.0532071650F + t * (0.00391735272F + t * (0.000287601640F + t * 2.01173859e-6F))));
    const float below =
        1.0F + t * (0.505291835F +
                    t * (0.115591078F + t * (0.0152707704F + t * (0.00119820982F + t * 3.78397242e-5F))));
    return x * above / below;
}

KILTER_INLINE float gelu(float x) { return 0.5F * x * (1.0F + error_function(x * 0.707106781F)); }

// Brings a row to mean 0 and variance 1, weights it, and writes it rounded as well.
KILTER_INLINE void norm_row(float* __restrict row, const Norm& norm, Rounding rounding,
                            std::uint8_t* __restrict bytes) {
    const std::size_t columns = norm.bias.size();
    const float* __restrict weight = norm.weight.data();
    const float* __restrict bias = norm.bias.data();
    const float count = static_cast<float>(columns);
    float lanes[kLanes] = {};
    for (std::size_t at = 0; at < columns; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += row[at + lane];
        }
    }
    const float mean = added_up(lanes) / count;
    float squares[kLanes] = {};
    for (std::size_t at = 0; at < columns; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float apart = row[at + lane] - mean;
            row[at + lane] = apart;
            squares[lane] += apart * apart;
        }
    }
    const float inverse = 1.0F / std::sqrt(added_up(squares) / count + 1e-12F);
    for (std::size_t k = 0; k < columns; ++k) {
        row[k] = row[k] * inverse * weight[k] + bias[k];
    }
    for (std::size_t k = 0; k < columns; ++k) {
        bytes[k] = rounded(row[k], rounding);
    }
}

// Sums of some columns, one row after another, and what makes numbers of them.
struct SomeSums {
    const std::int32_t* sums;
    Columns columns;

    KILTER_INLINE float scaled(std::size_t begin, std::size_t k) const {
        return kilter::scaled(sums[begin + k], columns.shift[k], columns.unit[k], columns.bias[k]);
    }
};

struct HeadSums {
    SomeSums query;
    SomeSums key;
    SomeSums value;
};

// Queries, turned keys and values of one head of one sentence, and what its words make of them.
class Head {
public:
    explicit Head(std::size_t length)
        : length_(length),
          padded_((length + kLanes - 1) / kLanes * kLanes),
          queries_((length + kTogether - 1) / kTogether * kTogether * kHeadWidth),
          keys_(kHeadWidth * padded_),
          values_(length * kHeadWidth),
          shares_(kTogether * padded_),
          outside_(padded_) {
        std::fill(outside_.begin() + static_cast<std::ptrdiff_t>(length), outside_.end(), kLowest);
    }

    std::size_t length() const { return length_; }

    // Takes the sums of queries, keys and values of the words of a sentence, kHeadWidth for each.
    KILTER_INLINE void read(const HeadSums& sums, std::size_t first_row) {
        const float short_query = 1.0F / std::sqrt(static_cast<float>(kHeadWidth));
        const std::size_t padded = padded_;
        float* __restrict query = queries_.data();
        float* __restrict turned = keys_.data();
        float* __restrict value = values_.data();
        for (std::size_t word = 0; word < length_; ++word) {
            const std::size_t begin = (first_row + word) * kHeadWidth;
            float key[kHeadWidth];
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                query[k] = sums.query.scaled(begin, k) * short_query;
            }
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                key[k] = sums.key.scaled(begin, k);
            }
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                value[k] = sums.value.scaled(begin, k);
            }
            float* __restrict place = turned + word;
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                place[k * padded] = key[k];
            }
            query += kHeadWidth;
            value += kHeadWidth;
        }
    }

    // What words `first` and the next ones see, rounded; rows of `out` are `width` apart.
    KILTER_INLINE void see(std::size_t first, std::size_t width, Rounding rounding,
                           std::uint8_t* out) {
        weigh(queries_.data() + first * kHeadWidth);
        float inverse[kTogether];
        for (std::size_t word = 0; word < kTogether; ++word) {
            inverse[word] = 1.0F / make_shares(shares_.data() + word * padded_);
        }
        Lanes sums[kTogether][kHeadWidth / kLanes] = {};
        for (std::size_t other = 0; other < length_; ++other) {
            const float* value = values_.data() + other * kHeadWidth;
            for (std::size_t word = 0; word < kTogether; ++word) {
                const float share = shares_[word * padded_ + other];
                for (std::size_t part = 0; part < kHeadWidth / kLanes; ++part) {
                    sums[word][part] += share * lanes_at(value + part * kLanes);
                }
            }
        }
        float seen[kTogether][kHeadWidth];
        for (std::size_t word = 0; word < kTogether; ++word) {
            std::memcpy(seen[word], sums[word], sizeof seen[word]);
        }
        const std::size_t words = std::min(kTogether, length_ - first);
        for (std::size_t word = 0; word < words; ++word) {
            std::uint8_t* bytes = out + (first + word) * width;
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                bytes[k] = rounded(seen[word][k] * inverse[word], rounding);
            }
        }
    }

private:
    KILTER_INLINE void weigh(const float* queries) {
        for (std::size_t at = 0; at < padded_; at += kLanes) {
            const float* key = keys_.data() + at;
            Lanes products[kTogether] = {};
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                const Lanes own = lanes_at(key + k * padded_);
                for (std::size_t word = 0; word < kTogether; ++word) {
                    products[word] += queries[word * kHeadWidth + k] * own;
                }
            }
            for (std::size_t word = 0; word < kTogether; ++word) {
                lanes_at(shares_.data() + word * padded_ + at) = products[word] + lanes_at(outside_.data() + at);
            }
        }
    }

    // Makes shares of a row of products, up to a factor, and returns their sum.
    KILTER_INLINE float make_shares(float* row) const {
        float tops[kLanes];
        std::copy(row, row + kLanes, tops);
        for (std::size_t at = kLanes; at < padded_; at += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                tops[lane] = tops[lane] > row[at + lane] ? tops[lane] : row[at + lane];
            }
        }
        for (std::size_t size = kLanes / 2; size > 0; size /= 2) {
            for (std::size_t lane = 0; lane < size; ++lane) {
                tops[lane] = tops[lane] > tops[lane + size] ? tops[lane] : tops[lane + size];
            }
        }
        const float top = tops[0];
        for (std::size_t other = 0; other < padded_; ++other) {
            row[other] = exponential(row[other] - top);
        }
        float lanes[kLanes] = {};
        for (std::size_t at = 0; at < padded_; at += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                lanes[lane] += row[at + lane];
            }
        }
        return added_up(lanes);
    }

    std::size_t length_;
    std::size_t padded_;
    LineVector<float> queries_;
    LineVector<float> keys_;
    LineVector<float> values_;
    LineVector<float> shares_;
    // Added to products: nothing for words, and for what fills the last lanes so little that its share,
    // e^-87, is lost in a sum of at least 1.
    LineVector<float> outside_;
};

KILTER_WIDE_MULTIVERSION void scale_row(const std::int32_t* __restrict sums, Columns columns, std::size_t count,
                                        float* __restrict out) {
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = scaled(sums[k], columns.shift[k], columns.unit[k], columns.bias[k]);
    }
}

KILTER_WIDE_MULTIVERSION void gelu_row(const std::int32_t* __restrict sums, Columns columns, std::size_t count,
                                       float* __restrict out) {
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = gelu(scaled(sums[k], columns.shift[k], columns.unit[k], columns.bias[k]));
    }
}

// The GELU of rows of sums, rounded; rows of `out` are `stride` apart.
KILTER_WIDE_MULTIVERSION void gelu_rows(const std::int32_t* __restrict sums, Columns columns, std::size_t rows,
                                        std::size_t count, Rounding rounding, std::size_t stride,
                                        std::uint8_t* __restrict out) {
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t* __restrict own = sums + row * count;
        std::uint8_t* __restrict bytes = out + row * stride;
        for (std::size_t k = 0; k < count; ++k) {
            bytes[k] = rounded(gelu(scaled(own[k], columns.shift[k], columns.unit[k], columns.bias[k])), rounding);
        }
    }
}

// Normalises numbers + scaled sums.
KILTER_WIDE_MULTIVERSION void normalise(const std::int32_t* __restrict sums, Columns columns, const Norm& norm,
                                        std::size_t rows, Rounding rounding, float* __restrict numbers,
                                        std::uint8_t* __restrict bytes) {
    const std::size_t width = norm.bias.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t begin = row * width;
        for (std::size_t k = 0; k < width; ++k) {
            numbers[begin + k] += scaled(sums[begin + k], columns.shift[k], columns.unit[k], columns.bias[k]);
        }
        norm_row(numbers + begin, norm, rounding, bytes + begin);
    }
}

KILTER_WIDE_MULTIVERSION void embed(const Embedding& embedding, const PieceRows& rows, Rounding rounding,
                                    float* __restrict numbers, std::uint8_t* __restrict bytes) {
    const std::size_t width = embedding.width();
    for (std::size_t row = 0; row < rows.count(); ++row) {
        const auto piece = static_cast<std::size_t>(rows.pieces[row]);
        const std::int8_t* whole = embedding.pieces.data() + piece * width;
        const float unit = embedding.piece_units[piece];
        const float* place = embedding.places.data() + row % rows.length * width;
        const float* shape = embedding.shapes.data() + static_cast<std::size_t>(rows.shapes[row]) * width;
        float* out = numbers + row * width;
        for (std::size_t k = 0; k < width; ++k) {
            out[k] = static_cast<float>(whole[k]) * unit + place[k] + shape[k];
        }
        norm_row(out, embedding.norm, rounding, bytes + row * width);
    }
}

KILTER_WIDE_MULTIVERSION void read_head(const HeadSums& sums, std::size_t first_row, Head& head) {
    head.read(sums, first_row);
}

KILTER_WIDE_MULTIVERSION void see_all(Head& head, std::size_t width, Rounding rounding,
                                      std::uint8_t* __restrict out) {
    for (std::size_t word = 0; word < head.length(); word += kTogether) {
        head.see(word, width, rounding, out);
    }
}

// What the words of some sentences see with one head, rounded; rows of `out` are `width` apart.
void attend(const HeadSums& sums, std::size_t sentences, std::size_t width, Head& head, Rounding rounding,
            std::uint8_t* out) {
    for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
        const std::size_t row = sentence * head.length();
        read_head(sums, row, head);
        see_all(head, width, rounding, out + row * width);
    }
}

KILTER_WIDE_MULTIVERSION void add_share(const float* __restrict numbers, std::size_t size, float share,
                                        float* __restrict mixed) {
    for (std::size_t k = 0; k < size; ++k) {
        mixed[k] += numbers[k] * share;
    }
}

// Rows between the products of a layer.
class Workshop {
public:
    Workshop(const TransformerLayer& layer, std::size_t most_rows, std::size_t length)
        : sums_(padded_rows(most_rows) * std::max(layer.output.weights().stride(), kColumnsTogether)),
          seen_(padded_rows(most_rows) * layer.output.weights().inputs()),
          inside_(padded_rows(most_rows) * layer.outer.weights().inputs()),
          head_(length) {}

    // Takes rows through a layer, in place; as bytes they are then what `after` makes of them.
    void apply(const TransformerLayer& layer, std::size_t sentences, Rounding after, float* numbers,
               std::uint8_t* bytes) {
        const std::size_t rows = sentences * head_.length();
        see(layer, sentences, bytes);
        layer.output.weights().multiply(seen_.data(), padded_rows(rows), sums_.data());
        normalise(sums_.data(), Columns::of(layer.output), layer.norm1, rows, layer.inner.taken(), numbers, bytes);
        widen(layer, rows, bytes);
        layer.outer.weights().multiply(inside_.data(), padded_rows(rows), sums_.data());
        normalise(sums_.data(), Columns::of(layer.outer), layer.norm2, rows, after, numbers, bytes);
    }

private:
    // Attention, a head at a time: its sums are used while they are near.
    void see(const TransformerLayer& layer, std::size_t sentences, const std::uint8_t* bytes) {
        const std::size_t width = layer.output.weights().inputs();
        const std::size_t rows = padded_rows(sentences * head_.length());
        const Columns columns = Columns::of(layer.attention);
        for (std::size_t column = 0; column < width; column += kHeadWidth) {
            const auto part = [&](std::size_t third) {
                const std::size_t first = third * width + column;
                std::int32_t* sums = sums_.data() + third * rows * kHeadWidth;
                layer.attention.weights().multiply(bytes, rows, first, kHeadWidth, sums);
                return SomeSums{sums, columns.from(first)};
            };
            attend({part(0), part(1), part(2)}, sentences, width, head_, layer.output.taken(),
                   seen_.data() + column);
        }
    }

    // The wide rows in the middle of a layer, some columns at a time.
    void widen(const TransformerLayer& layer, std::size_t rows, const std::uint8_t* bytes) {
        const std::size_t wide = layer.inner.weights().outputs();
        for (std::size_t first = 0; first < wide; first += kColumnsTogether) {
            const std::size_t some = std::min(kColumnsTogether, wide - first);
            layer.inner.weights().multiply(bytes, padded_rows(rows), first, some, sums_.data());
            gelu_rows(sums_.data(), Columns::of(layer.inner).from(first), rows, some, layer.outer.taken(), wide,
                      inside_.data() + first);
        }
    }

    LineVector<std::int32_t> sums_;
    LineVector<std::uint8_t> seen_;
    LineVector<std::uint8_t> inside_;
    Head head_;
};

template <class T>
std::vector<T> filled_up(std::vector<T> values, std::size_t size) {
    values.resize(size);
    return values;
}

}  // namespace

KILTER_WIDE_MULTIVERSION void round_numbers(const float* __restrict numbers, std::size_t size, Rounding rounding,
                                            std::uint8_t* __restrict out) {
    for (std::size_t k = 0; k < size; ++k) {
        out[k] = rounded(numbers[k], rounding);
    }
}

Linear::Linear(IntegerWeights weights, std::vector<std::int32_t> shift, std::vector<float> unit,
               std::vector<float> bias, Rounding taken)
    : weights_(std::move(weights)),
      shift_(filled_up(std::move(shift), weights_.stride())),
      unit_(filled_up(std::move(unit), weights_.stride())),
      bias_(filled_up(std::move(bias), weights_.stride())),
      taken_(taken) {}

void linear_numbers(const Linear& linear, const std::uint8_t* rows, std::size_t count, bool gelu, float* out) {
    const IntegerWeights& weights = linear.weights();
    LineVector<std::int32_t> sums(std::min(count, kRowsTogether) * weights.stride());
    for (std::size_t begin = 0; begin < count; begin += kRowsTogether) {
        check_stop();
        const std::size_t some = std::min(kRowsTogether, count - begin);
        weights.multiply(rows + begin * weights.inputs(), some, sums.data());
        for (std::size_t row = 0; row < some; ++row) {
            (gelu ? gelu_row : scale_row)(sums.data() + row * weights.stride(), Columns::of(linear),
                                          weights.outputs(), out + (begin + row) * weights.outputs());
        }
    }
}

void linear_gelu_bytes(const Linear& linear, const std::uint8_t* rows, std::size_t count, Rounding rounding,
                       std::uint8_t* out) {
    const IntegerWeights& weights = linear.weights();
    LineVector<std::int32_t> sums(std::min(count, kRowsTogether) * weights.stride());
    for (std::size_t begin = 0; begin < count; begin += kRowsTogether) {
        check_stop();
        const std::size_t some = std::min(kRowsTogether, count - begin);
        weights.multiply(rows + begin * weights.inputs(), some, sums.data());
        for (std::size_t row = 0; row < some; ++row) {
            gelu_rows(sums.data() + row * weights.stride(), Columns::of(linear), 1, weights.outputs(), rounding,
                      weights.outputs(), out + (begin + row) * weights.outputs());
        }
    }
}

void Transformer::encode(const PieceRows& rows, std::span<const float> shares, std::size_t level, float* mixed,
                         float* kept) const {
    const std::size_t width = embedding_.width();
    const std::size_t size = rows.count() * width;
    const std::size_t deepest = std::max(shares.empty() ? 0 : shares.size() - 1, kept == nullptr ? 0 : level);
    LineVector<float> numbers(size);
    // Products may read further rows than there are, counted from any sentence.
    LineVector<std::uint8_t> bytes((rows.count() + padded_rows(1)) * width);
    const auto after = [&](std::size_t done) {
        return done < layers_.size() ? layers_[done].attention.taken() : Rounding{0.0F, 0.0F};
    };
    embed(embedding_, rows, after(0), numbers.data(), bytes.data());
    const std::size_t together = std::max<std::size_t>(1, kRowsTogether / rows.length);
    for (std::size_t done = 0;; ++done) {
        if (done < shares.size()) {
            add_share(numbers.data(), size, shares[done], mixed);
        }
        if (kept != nullptr && done == level) {
            std::copy(numbers.begin(), numbers.end(), kept);
        }
        if (done == deepest) {
            return;
        }
        const TransformerLayer& layer = layers_[done];
        Workshop workshop(layer, std::min(together, rows.sentences) * rows.length, rows.length);
        for (std::size_t begin = 0; begin < rows.sentences; begin += together) {
            check_stop();
            const std::size_t first = begin * rows.length * width;
            workshop.apply(layer, std::min(together, rows.sentences - begin), after(done + 1),
                           numbers.data() + first, bytes.data() + first);
        }
    }
}

}  // namespace kilter
