"""`load_classifier`: a saved classifier, whichever kind it is."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from vnestruct.errors import GraphFormatError
from vnestruct.setmodel.persistence import read_manifest

if TYPE_CHECKING:
    from vnestruct.setmodel.classifier import DeepSetsClassifier
    from vnestruct.setmodel.signature_classifier import SignatureClassifier


def load_classifier(path: str | PathLike[str]) -> DeepSetsClassifier | SignatureClassifier:
    """Return the classifier that a file holds.

    Examples
    --------
    >>> from vnestruct.setmodel import SignatureClassifier, load_classifier
    >>> rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(4, 10)]
    >>> stars = [[(0, i) for i in range(1, n)] for n in range(4, 10)]
    >>> SignatureClassifier(radius=1).fit(rings + stars, [0] * 6 + [1] * 6).save("shapes.safetensors")
    >>> load_classifier("shapes.safetensors").predict([stars[2], rings[2]])
    array([1, 0])
    """
    kind = read_manifest(path)["kind"]
    if kind == "deepsets":
        from vnestruct.setmodel.classifier import DeepSetsClassifier

        return DeepSetsClassifier.load(path)
    if kind == "signature":
        from vnestruct.setmodel.signature_classifier import SignatureClassifier

        return SignatureClassifier.load(path)
    raise GraphFormatError(f"a classifier of kind {kind!r}, which this version does not know; upgrade vnestruct", path)
