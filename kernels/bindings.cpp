// The table of contents of the extension. Only this file and those in bindings/ know Python: they convert
// arrays, release the interpreter lock and call a kernel.
#include <nanobind/nanobind.h>

#include <exception>

#include "watch.hpp"

namespace kilter {

void add_permutations(nanobind::module_& module);
void add_rows(nanobind::module_& module);
void add_words(nanobind::module_& module);
void add_links(nanobind::module_& module);
void add_match(nanobind::module_& module);
void add_em(nanobind::module_& module);
void add_resampling(nanobind::module_& module);
void add_trees(nanobind::module_& module);
void add_spanning_trees(nanobind::module_& module);
void add_perceptron(nanobind::module_& module);
void add_reordering(nanobind::module_& module);
void add_row_products(nanobind::module_& module);
void add_meanings(nanobind::module_& module);
void add_transformer(nanobind::module_& module);
void add_network(nanobind::module_& module);
void add_network_learning(nanobind::module_& module);
void add_build(nanobind::module_& module);

}  // namespace kilter

NB_MODULE(_core, module) {
    // A program may keep a network to its very end, and is told nothing about it.
    nanobind::set_leak_warnings(false);
    // Work that was stopped has its reason set already: whatever the handler of a signal raised.
    nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const kilter::Stopped&) {
            if (PyErr_Occurred() == nullptr) {
                PyErr_SetNone(PyExc_KeyboardInterrupt);
            }
        }
    });
    module.def_submodule("testing", "What only tests and benchmarks call.");
    kilter::add_permutations(module);
    kilter::add_rows(module);
    kilter::add_words(module);
    kilter::add_links(module);
    kilter::add_match(module);
    kilter::add_em(module);
    kilter::add_resampling(module);
    kilter::add_trees(module);
    kilter::add_spanning_trees(module);
    kilter::add_perceptron(module);
    kilter::add_reordering(module);
    kilter::add_row_products(module);
    kilter::add_meanings(module);
    kilter::add_transformer(module);
    kilter::add_network(module);
    kilter::add_network_learning(module);
    kilter::add_build(module);
}
