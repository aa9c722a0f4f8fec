#include "mean_precision.hpp"

#include <cmath>

namespace kilter {

void geometric_means(const double* rows, std::int64_t count, std::int64_t columns, bool compensated,
                     double* means) {
    for (std::int64_t row = 0; row < count; ++row) {
        double sum = 0.0;
        double lost = 0.0;
        for (std::int64_t column = 0; column < columns; ++column) {
            const double term = std::log(rows[row * columns + column]);
            const double next = sum + term;
            lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
            sum = next;
        }
        if (compensated && lost != 0.0 && std::isfinite(lost)) {
            sum += lost;
        }
        means[row] = std::exp(sum / static_cast<double>(columns));
    }
}

}  // namespace kilter
