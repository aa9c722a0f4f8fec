"""Metrics made again of their signatures, which hold every option."""

from kilter.metrics.metric import Metric
from kilter.metrics.registry import metric_class


def metric_of(signature: str) -> Metric:
    """Return the metric that a signature describes; what is not an option of it is passed over.

    So is where a file is: a signature says its version.
    """
    name, *parts = signature.split("|")
    found = metric_class(name)
    known = {entry.name for entry in found.declared()} - found.places
    options = dict(part.split(":", 1) for part in parts)
    if options.get("effective") == "segments":  # BLEU: not in corpus scores
        options["effective"] = "yes"
    return found.from_text({name: value for name, value in options.items() if name in known})
