"""Vectors of texts and images, computed by an installed model.

A model is a function that takes a list of texts, or of images (Pillow), and returns a
matrix with one row per text or image. Nothing is downloaded: the weights of the model
must be on this machine.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, Setting
from labelscape.datasets._columns import Column, find_position, is_missing
from labelscape.datasets._options import ReadingOptions
from labelscape.datasets.files.arrays import with_vectors

Model = Callable[[list[Any]], Any]

_BATCH = 64
# The name of a model on a hub, with or without its owner; not a path or an address.
_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


def takes_pictures(model: str) -> bool:
    """Whether a model is for images, not for texts."""
    return model.partition(":")[0] == "timm"


def embedded(model: str, items: Iterable[Any]) -> NDArray[np.float64]:
    """Return texts or images as vectors (n, d)."""
    embed = _loaded(model)
    items, parts = iter(items), []
    while batch := list(islice(items, _BATCH)):
        rows = np.asarray(embed(batch), dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(batch):
            raise InputError(
                Setting("embed", model),
                f" returned an array of shape {rows.shape} for {len(batch)} items, "
                "but one row per item is needed.",
                parameter="embed",
            )
        parts.append(rows)
    return np.concatenate(parts)


def text_column(columns: Sequence[Column], reading: ReadingOptions) -> Column:
    """Return the texts of a table as a vector column; missing texts remain missing."""
    model = str(reading.embed)
    at = find_position([one.name for one in columns], reading.text, role="text")  # type: ignore[arg-type]
    column = columns[at]
    present = ~is_missing(column)
    texts = [str(text) for text in column.values[present]]
    rows = embedded(model, texts) if texts else np.empty((0, 0))
    return with_vectors(f"{column.name} ({model})", rows, present)


def _loaded(model: str) -> Model:
    package, _, name = model.partition(":")
    load = _PACKAGES.get(package)
    if load is None or (name and not _NAME.fullmatch(name)):
        raise InputError(
            Setting("embed"),
            f": there is no model {model!r}. Pass wordllama, "
            "sentence-transformers:NAME or timm:NAME. To use another model, save "
            "its vectors as a column of a Parquet file or a data frame.",
            parameter="embed",
        )
    try:
        return load(name)
    except ImportError as error:
        raise InputError(
            Setting("embed", model),
            f" needs {package} ({error}). Install it with: pip install {package}",
            parameter="embed",
        ) from error
    except Exception as error:  # these packages raise many kinds of errors
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise InputError(
            Setting("embed", model),
            f" cannot be loaded ({reason}). Its weights must be on this machine: "
            "nothing is downloaded.",
            parameter="embed",
        ) from error


def _wordllama(name: str) -> Model:
    import wordllama

    # By default, wordllama searches for its tokenizer in another folder.
    own = None if name else Path(wordllama.__file__).parent
    load = wordllama.WordLlama.load
    model: Model = load(
        name or "l2_supercat", cache_dir=own, disable_download=True
    ).embed
    return model


def _sentence_transformers(name: str) -> Model:
    from sentence_transformers import SentenceTransformer

    model: Model = SentenceTransformer(name, local_files_only=True).encode
    return model


def _timm(name: str) -> Model:
    import timm
    import torch
    from timm.data import create_transform, resolve_model_data_config

    config = timm.get_pretrained_cfg(name)
    if config is None or not config.hf_hub_id:
        raise ValueError("timm does not offer this model for download")
    with _offline():
        network = timm.create_model(name, pretrained=True, num_classes=0).eval()
    transform = create_transform(**resolve_model_data_config(network))

    def embed(pictures: list[Any]) -> Any:
        batch = torch.stack([transform(one.convert("RGB")) for one in pictures])
        with torch.inference_mode():
            return network(batch).numpy()

    return embed


@contextmanager
def _offline() -> Iterator[None]:
    """Prevent downloads from the Hugging Face hub."""
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


_PACKAGES: dict[str, Callable[[str], Model]] = {
    "wordllama": _wordllama,
    "sentence-transformers": _sentence_transformers,
    "timm": _timm,
}
