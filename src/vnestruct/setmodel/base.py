"""What all graph classifiers share: scikit-learn's interface, class encoding, and saved files."""

from abc import abstractmethod
from collections.abc import Iterable
from importlib import import_module
from typing import Any, ClassVar, Self, cast

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.datasets import as_collection
from vnestruct.errors import GraphFormatError, ParameterError, VNEstructError
from vnestruct.files.container import decode_value, encode_value, load_model, save_model
from vnestruct.graph import GraphSet
from vnestruct.setmodel.evaluation import Codes, Report, Tried, training_classes
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.types import Array, FilePath, ValueArray

_WHAT = "classifier"
_VERSION = 1
_CLASSES = {"deepsets": "DeepSetsClassifier", "signature": "SignatureClassifier"}


class GraphClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of the classifiers: dataclasses whose fields are the parameters, with the abstract methods below."""

    name: ClassVar[str]  # name of the model in reports and saved files
    _score_scale: ClassVar[float] = 1.0

    classes_: Array

    def fit(self, X: Any, y: Any | None = None) -> Self:
        """Train on graphs: anything `vnestruct.datasets.as_collection` takes, with one class per graph."""
        features, collection = self.make_features(), as_collection(X, y)
        classes, codes = training_classes(collection)
        self.fit_nodes(features.with_entropies(collection), codes)
        self.classes_ = classes
        return self

    def decision_function(self, X: Any) -> ValueArray:
        """Return the score of each class for each graph, in the order of `classes_`."""
        check_is_fitted(self, "classes_")
        collection = as_collection(X)
        if not len(collection):
            return np.zeros((0, len(self.classes_)))
        return self.score_nodes(self.make_features().with_entropies(collection))

    def predict_proba(self, X: Any) -> ValueArray:
        """Return the probability of each class for each graph: a softmax of the scores, not calibrated."""
        return cast(ValueArray, softmax(self._score_scale * self.decision_function(X), axis=1))

    def predict(self, X: Any) -> Array:
        """Return the class of each graph."""
        return cast(Array, self.classes_[self.decision_function(X).argmax(axis=1)])

    def score(self, X: Any, y: Any | None = None, sample_weight: Any = None) -> float:
        """Return the share of graphs whose class is predicted correctly."""
        collection = as_collection(X, y)
        if collection.labels is None:
            raise ParameterError("the graphs have no labels to compare with; pass y")
        return float(super().score(collection, collection.labels, sample_weight))

    def save(self, path: FilePath) -> None:
        """Write the fitted classifier to one file of arrays and JSON, without pickle."""
        check_is_fitted(self, "classes_")
        if self.classes_.dtype.kind not in "iuUbf":
            raise ParameterError(f"classes have dtype {self.classes_.dtype}; only numbers and texts can be saved")
        parameters = {
            name: encode_value(_listed(value)) for name, value in self.get_params().items() if name != "progress"
        }
        notes = {"kind": self.name, "parameters": parameters}
        arrays = {"classes": self.classes_}
        for name, value in self.state().items():
            (arrays if isinstance(value, np.ndarray) else notes)[name] = value
        save_model(path, _WHAT, _VERSION, notes, arrays)

    @classmethod
    def load(cls, path: FilePath) -> Self:
        """Read what `save` wrote; predictions are the same to the last bit."""
        model = load_classifier(path)
        if not isinstance(model, cls):
            raise GraphFormatError(f"this is a classifier of kind {model.name!r}, not {cls.name!r}", path)
        return model

    @abstractmethod
    def make_features(self) -> NodeFeatures:
        """Check all parameters and return unfitted node features."""

    @abstractmethod
    def evaluate(self, nodes: GraphSet, codes: Codes, fold: Codes, seed: int, protocol: str, report: Report) -> Tried:
        """Train without each fold and test on it; `nodes` is of `NodeFeatures.with_entropies`."""

    @abstractmethod
    def fit_nodes(self, nodes: GraphSet, codes: Codes) -> None:
        """Train on graphs whose classes are numbered from 0."""

    @abstractmethod
    def score_nodes(self, nodes: GraphSet) -> ValueArray:
        """Return the score of each class for each graph."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return everything learned but the classes, as arrays and JSON values."""

    @abstractmethod
    def restore(self, learned: dict[str, Any]) -> None:
        """Set everything learned to what `_state` returned."""


def load_classifier(path: FilePath) -> GraphClassifier:
    """Return the classifier saved in a file, a `DeepSetsClassifier` or a `SignatureClassifier`.

    Examples
    --------
    >>> from vnestruct.setmodel import SignatureClassifier, load_classifier
    >>> rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(4, 10)]
    >>> stars = [[(0, i) for i in range(1, n)] for n in range(4, 10)]
    >>> SignatureClassifier(radius=1).fit(rings + stars, [0] * 6 + [1] * 6).save("shapes.model")
    >>> load_classifier("shapes.model").predict([stars[2], rings[2]])
    array([1, 0])
    """
    learned, arrays = load_model(path, _WHAT, _VERSION)
    try:
        kind = learned["kind"]
        if kind not in _CLASSES:
            raise GraphFormatError(f"this version does not know classifiers of kind {kind!r}; upgrade vnestruct", path)
        classifier: type[GraphClassifier] = getattr(import_module("vnestruct.setmodel"), _CLASSES[kind])
        model = classifier(**{name: decode_value(value) for name, value in learned["parameters"].items()})
        model.classes_ = arrays["classes"]
        model.restore(learned | arrays)
    except (LookupError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        if isinstance(error, VNEstructError) and not isinstance(error, ParameterError):
            raise
        raise GraphFormatError(f"not a readable classifier file: {error}; save it again", path) from error
    return model


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str | tuple) else value
