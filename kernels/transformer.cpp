#include "transformer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "exponential.hpp"
#include "lanes.hpp"
#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// Queries that share one pass over the keys and values of their sentence.
constexpr std::size_t kTogether = 4;
// Rows that go through a layer together: what lies between its products then stays in the cache of a core.
constexpr std::size_t kRowsTogether = 96;
// Columns of a wide product that are computed before anything is done with them.
constexpr std::size_t kColumnsTogether = 128;
static_assert(kColumnsTogether >= 3 * kHeadWidth);
constexpr float kLowest = -3.4e38F;

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

// Layer norm: brings a row to mean 0 and variance 1, scales and shifts it, and writes it quantized as well.
KILTER_INLINE void layer_norm(float* __restrict row, const Norm& norm, Rounding rounding,
                              std::uint8_t* __restrict bytes) {
    const std::size_t columns = norm.bias.size();
    const float* __restrict weight = norm.weight.data();
    const float* __restrict bias = norm.bias.data();
    const float count = static_cast<float>(columns);
    const float mean = row_sum(row, columns) / count;
    float squares[kLanes] = {};
    for (std::size_t at = 0; at < columns; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float centred = row[at + lane] - mean;
            row[at + lane] = centred;
            squares[lane] += centred * centred;
        }
    }
    const float inverse = 1.0F / std::sqrt(sum_lanes(squares) / count + 1e-12F);
    for (std::size_t k = 0; k < columns; ++k) {
        row[k] = row[k] * inverse * weight[k] + bias[k];
    }
    for (std::size_t k = 0; k < columns; ++k) {
        bytes[k] = rounding.byte(row[k]);
    }
}

// Integer sums of some columns, one row after another, and how they become numbers.
struct SomeSums {
    const std::int32_t* sums;
    SumColumns columns;

    KILTER_INLINE float number(std::size_t begin, std::size_t k) const { return columns.number(sums[begin + k], k); }
};

struct HeadSums {
    SomeSums query;
    SomeSums key;
    SomeSums value;
};

// One attention head of one sentence: its queries, transposed keys and values.
class AttentionHead {
public:
    explicit AttentionHead(std::size_t length)
        : length_(length),
          padded_((length + kLanes - 1) / kLanes * kLanes),
          queries_((length + kTogether - 1) / kTogether * kTogether * kHeadWidth),
          keys_(kHeadWidth * padded_),
          values_(length * kHeadWidth),
          weights_(kTogether * padded_),
          mask_(padded_) {
        std::fill(mask_.begin() + static_cast<std::ptrdiff_t>(length), mask_.end(), kLowest);
    }

    std::size_t length() const { return length_; }

    // Loads the queries, keys and values of the words of a sentence from their sums, kHeadWidth for each word.
    KILTER_INLINE void load(const HeadSums& sums, std::size_t first_row) {
        const float short_query = 1.0F / std::sqrt(static_cast<float>(kHeadWidth));
        const std::size_t padded = padded_;
        float* __restrict query = queries_.data();
        float* __restrict transposed = keys_.data();
        float* __restrict value = values_.data();
        for (std::size_t word = 0; word < length_; ++word) {
            const std::size_t begin = (first_row + word) * kHeadWidth;
            float key[kHeadWidth];
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                query[k] = sums.query.number(begin, k) * short_query;
            }
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                key[k] = sums.key.number(begin, k);
            }
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                value[k] = sums.value.number(begin, k);
            }
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                transposed[k * padded + word] = key[k];
            }
            query += kHeadWidth;
            value += kHeadWidth;
        }
    }

    // Attention of word `first` and the next ones, quantized; rows of `out` are `width` apart.
    KILTER_INLINE void attend(std::size_t first, std::size_t width, Rounding rounding, std::uint8_t* out) {
        score_keys(queries_.data() + first * kHeadWidth);
        float inverse[kTogether];
        for (std::size_t word = 0; word < kTogether; ++word) {
            inverse[word] = 1.0F / softmax(weights_.data() + word * padded_);
        }
        Lanes sums[kTogether][kHeadWidth / kLanes] = {};
        for (std::size_t other = 0; other < length_; ++other) {
            const float* value = values_.data() + other * kHeadWidth;
            for (std::size_t word = 0; word < kTogether; ++word) {
                const float weight = weights_[word * padded_ + other];
                for (std::size_t part = 0; part < kHeadWidth / kLanes; ++part) {
                    sums[word][part] += weight * lanes_at(value + part * kLanes);
                }
            }
        }
        float attended[kTogether][kHeadWidth];
        for (std::size_t word = 0; word < kTogether; ++word) {
            std::memcpy(attended[word], sums[word], sizeof attended[word]);
        }
        const std::size_t words = std::min(kTogether, length_ - first);
        for (std::size_t word = 0; word < words; ++word) {
            std::uint8_t* bytes = out + (first + word) * width;
            for (std::size_t k = 0; k < kHeadWidth; ++k) {
                bytes[k] = rounding.byte(attended[word][k] * inverse[word]);
            }
        }
    }

private:
    // The dot products of some queries with all keys.
    KILTER_INLINE void score_keys(const float* queries) {
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
                lanes_at(weights_.data() + word * padded_ + at) = products[word] + lanes_at(mask_.data() + at);
            }
        }
    }

    // Softmax of a row of dot products, not yet divided by the sum, which it returns.
    KILTER_INLINE float softmax(float* row) const {
        float tops[kLanes];
        std::copy(row, row + kLanes, tops);
        for (std::size_t at = kLanes; at < padded_; at += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                tops[lane] = tops[lane] > row[at + lane] ? tops[lane] : row[at + lane];
            }
        }
        const float top = max_lanes(tops);
        for (std::size_t other = 0; other < padded_; ++other) {
            row[other] = exponential(row[other] - top);
        }
        return row_sum(row, padded_);
    }

    std::size_t length_;
    std::size_t padded_;
    LineVector<float> queries_;
    LineVector<float> keys_;
    LineVector<float> values_;
    LineVector<float> weights_;
    // Added to dot products: 0 for words, and for the padding of the last lanes so little that its softmax,
    // e^-87, is lost in a sum of at least 1.
    LineVector<float> mask_;
};

KILTER_WIDE_MULTIVERSION void scale_row(const std::int32_t* __restrict sums, SumColumns columns, std::size_t count,
                                        float* __restrict out) {
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = columns.number(sums[k], k);
    }
}

KILTER_WIDE_MULTIVERSION void gelu_row(const std::int32_t* __restrict sums, SumColumns columns, std::size_t count,
                                       float* __restrict out) {
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = gelu(columns.number(sums[k], k));
    }
}

// The GELU of rows of sums, quantized; rows of `out` are `stride` apart.
KILTER_WIDE_MULTIVERSION void gelu_rows(const std::int32_t* __restrict sums, SumColumns columns, std::size_t rows,
                                        std::size_t count, Rounding rounding, std::size_t stride,
                                        std::uint8_t* __restrict out) {
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t* __restrict own = sums + row * count;
        std::uint8_t* __restrict bytes = out + row * stride;
        for (std::size_t k = 0; k < count; ++k) {
            bytes[k] = rounding.byte(gelu(columns.number(own[k], k)));
        }
    }
}

// Residual connection and layer norm: numbers + sums, normalised.
KILTER_WIDE_MULTIVERSION void add_and_norm(const std::int32_t* __restrict sums, SumColumns columns, const Norm& norm,
                                           std::size_t rows, Rounding rounding, float* __restrict numbers,
                                           std::uint8_t* __restrict bytes) {
    const std::size_t width = norm.bias.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t begin = row * width;
        for (std::size_t k = 0; k < width; ++k) {
            numbers[begin + k] += columns.number(sums[begin + k], k);
        }
        layer_norm(numbers + begin, norm, rounding, bytes + begin);
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
        layer_norm(out, embedding.norm, rounding, bytes + row * width);
    }
}

KILTER_WIDE_MULTIVERSION void load_head(const HeadSums& sums, std::size_t first_row, AttentionHead& head) {
    head.load(sums, first_row);
}

KILTER_WIDE_MULTIVERSION void attend_all(AttentionHead& head, std::size_t width, Rounding rounding,
                                         std::uint8_t* __restrict out) {
    for (std::size_t word = 0; word < head.length(); word += kTogether) {
        head.attend(word, width, rounding, out);
    }
}

// Self-attention of some sentences with one head, quantized; rows of `out` are `width` apart.
void attend(const HeadSums& sums, std::size_t sentences, std::size_t width, AttentionHead& head, Rounding rounding,
            std::uint8_t* out) {
    for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
        const std::size_t row = sentence * head.length();
        load_head(sums, row, head);
        attend_all(head, width, rounding, out + row * width);
    }
}

KILTER_WIDE_MULTIVERSION void add_share(const float* __restrict numbers, std::size_t size, float share,
                                        float* __restrict mixed) {
    for (std::size_t k = 0; k < size; ++k) {
        mixed[k] += numbers[k] * share;
    }
}

// Scratch buffers between the products of a layer.
class LayerBuffers {
public:
    LayerBuffers(const TransformerLayer& layer, std::size_t most_rows, std::size_t length)
        : sums_(most_rows * std::max(layer.output.weights().stride(), kColumnsTogether)),
          attended_(most_rows * layer.output.weights().inputs()),
          inside_(most_rows * layer.outer.weights().inputs()),
          head_(length) {}

    // Takes rows through a layer, in place; as bytes they are then what `after` makes of them.
    void apply(const TransformerLayer& layer, std::size_t sentences, Rounding after, float* numbers,
               std::uint8_t* bytes) {
        const std::size_t rows = sentences * head_.length();
        apply_attention(layer, sentences, bytes);
        layer.output.weights().multiply(attended_.data(), rows, sums_.data());
        add_and_norm(sums_.data(), layer.output.columns(), layer.norm1, rows, layer.inner.taken(), numbers, bytes);
        apply_inner(layer, rows, bytes);
        layer.outer.weights().multiply(inside_.data(), rows, sums_.data());
        add_and_norm(sums_.data(), layer.outer.columns(), layer.norm2, rows, after, numbers, bytes);
    }

private:
    // One head at a time, so that its sums are used while they are in the cache.
    void apply_attention(const TransformerLayer& layer, std::size_t sentences, const std::uint8_t* bytes) {
        const std::size_t width = layer.output.weights().inputs();
        const std::size_t rows = sentences * head_.length();
        const SumColumns columns = layer.attention.columns();
        for (std::size_t column = 0; column < width; column += kHeadWidth) {
            const auto part = [&](std::size_t third) {
                const std::size_t first = third * width + column;
                std::int32_t* sums = sums_.data() + third * rows * kHeadWidth;
                layer.attention.weights().multiply(bytes, rows, first, kHeadWidth, sums);
                return SomeSums{sums, columns.from(first)};
            };
            attend({part(0), part(1), part(2)}, sentences, width, head_, layer.output.taken(),
                   attended_.data() + column);
        }
    }

    // The first product of the feed-forward part and its GELU, some columns at a time.
    void apply_inner(const TransformerLayer& layer, std::size_t rows, const std::uint8_t* bytes) {
        const std::size_t wide = layer.inner.weights().outputs();
        for (std::size_t first = 0; first < wide; first += kColumnsTogether) {
            const std::size_t some = std::min(kColumnsTogether, wide - first);
            layer.inner.weights().multiply(bytes, rows, first, some, sums_.data());
            gelu_rows(sums_.data(), layer.inner.columns().from(first), rows, some, layer.outer.taken(), wide,
                      inside_.data() + first);
        }
    }

    LineVector<std::int32_t> sums_;
    LineVector<std::uint8_t> attended_;
    LineVector<std::uint8_t> inside_;
    AttentionHead head_;
};

}  // namespace

KILTER_WIDE_MULTIVERSION void round_numbers(const float* __restrict numbers, std::size_t size, Rounding rounding,
                                            std::uint8_t* __restrict out) {
    for (std::size_t k = 0; k < size; ++k) {
        out[k] = rounding.byte(numbers[k]);
    }
}

Linear::Linear(IntegerWeights weights, std::vector<std::int32_t> shift, std::vector<float> unit,
               std::vector<float> bias, Rounding taken)
    : weights_(std::move(weights)),
      shift_(padded(shift, weights_.stride())),
      unit_(padded(unit, weights_.stride())),
      bias_(padded(bias, weights_.stride())),
      taken_(taken) {}

void linear_numbers(const Linear& linear, const std::uint8_t* rows, std::size_t count, bool gelu, float* out) {
    const IntegerWeights& weights = linear.weights();
    LineVector<std::int32_t> sums(std::min(count, kRowsTogether) * weights.stride());
    for (std::size_t begin = 0; begin < count; begin += kRowsTogether) {
        check_stop();
        const std::size_t some = std::min(kRowsTogether, count - begin);
        weights.multiply(rows + begin * weights.inputs(), some, sums.data());
        for (std::size_t row = 0; row < some; ++row) {
            (gelu ? gelu_row : scale_row)(sums.data() + row * weights.stride(), linear.columns(),
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
            gelu_rows(sums.data() + row * weights.stride(), linear.columns(), 1, weights.outputs(), rounding,
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
    LineVector<std::uint8_t> bytes((rows.count() + 1) * width);
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
        LayerBuffers buffers(layer, std::min(together, rows.sentences) * rows.length, rows.length);
        for (std::size_t begin = 0; begin < rows.sentences; begin += together) {
            check_stop();
            const std::size_t first = begin * rows.length * width;
            buffers.apply(layer, std::min(together, rows.sentences - begin), after(done + 1),
                           numbers.data() + first, bytes.data() + first);
        }
    }
}

}  // namespace kilter
