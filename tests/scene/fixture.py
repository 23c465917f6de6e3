"""The scene that Python and TypeScript both read, and what they must find in it.

``python -m tests.scene.fixture`` writes both files again, after a change of the format.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of

FOLDER = Path(__file__).parent / "fixtures"
SCENE, EXPECTED = FOLDER / "wine.lscn", FOLDER / "wine.json"

# Names that a careless page would take for markup.
CLASSES = np.array(["<b>Barolo</b>", "Grignolino & co", 'Barbera "rosé" 🍷'])


def wine():
    """Return the data, the fitted pipeline, and the class of each wine."""
    data = load_wine()
    y = CLASSES[data.target]
    model = LiRaMLVQ(prototypes_per_class=2, random_state=0)
    return data, make_pipeline(StandardScaler(), model).fit(data.data, y), y


@cache
def wine_scene():
    """Return the scene of the fixture: every part of the format that is not bulky."""
    data, model, y = wine()
    X, n = data.data, len(y)
    ids = [f"wine {i}" for i in range(n)]
    ids[:2] = ["<script>alert(1)</script>", ""]
    pixels = (np.arange(4) * 60 + np.arange(4)[:, None] * 15).astype(np.uint8)
    return scene_of(
        model,
        X,
        y,
        feature_names=data.feature_names,
        ids=ids,
        texts=["" if i % 3 else f"Cultivar {y[i]}" for i in range(n)],
        thumbnails=np.repeat(pixels[None], n, axis=0),
        title="Wine <i>of three cultivars</i>",
        maps={"PCA": make_pipeline(StandardScaler(), PCA(2)).fit(X)},
        honesty=honesty(model, X, y, n_splits=2, n_refits=1, random_state=0),
        held_out=np.arange(n) % 10 == 0,
        regions=50,
        random_state=0,
    )


def expected(scene):
    """Return what a reader must find in a scene."""
    model, first = scene.model, scene.maps[0]
    return {
        "title": scene.title,
        "subtitle": scene.subtitle,
        "n_points": scene.n_points,
        "classes": list(scene.classes),
        "first_labels": scene.labels[:5].tolist(),
        "first_predictions": scene.predictions[:5].tolist(),
        "first_certainty": scene.certainty[:5].tolist(),
        "n_held_out": int(scene.held_out.sum()),
        "first_ids": [scene.ids[i] for i in range(4)],
        "first_texts": [scene.texts[i] for i in range(4)],
        "thumbnail_shape": list(scene.thumbnails.pixels.shape),
        "thumbnail": scene.thumbnails.pixels[0].ravel().tolist(),
        "feature_names": [feature.name for feature in scene.features],
        "feature_kinds": [feature.kind for feature in scene.features],
        "first_feature": {
            "low": scene.features[0].low,
            "high": scene.features[0].high,
            "values": scene.features[0].values[:5].tolist(),
        },
        "maps": [
            {"name": m.name, "words": m.words, "first": m.positions[:3].tolist()}
            for m in scene.maps
        ],
        "first_distortion": {
            "false_neighbours": first.distortion.false_neighbours[:3].tolist(),
            "tears": first.distortion.tears[:3].tolist(),
        },
        "regions": {
            "box": list(first.regions.box),
            "shape": list(first.regions.labels.shape),
            "counts": np.bincount(first.regions.labels.ravel(), minlength=3).tolist(),
            "agreement": first.regions.agreement,
            "n_contradicting": int(first.regions.contradicts.sum()),
        },
        "quality": {row.name: row.value for row in first.quality.rows},
        "curve_sizes": first.quality.curve.k[:3].tolist(),
        "honesty": {
            "verdict": first.honesty.verdict,
            "lights": [light.state for light in first.honesty.lights],
            "rows": {row.name: row.value for row in first.honesty.rows},
            "notes": list(first.honesty.notes),
            "by_class": list(first.honesty.by_class),
            "pairs": [[pair.a, pair.b, pair.share] for pair in first.honesty.pairs],
        },
        "second_lights": [light.state for light in scene.maps[1].honesty.lights],
        "arrows": [arrows_in(m) for m in scene.maps],
        "neighbors": {
            "unit": scene.neighbors.unit,
            "weights": scene.neighbors.weights.tolist(),
        },
        "mean_judged_right": float(np.nanmean(first.judged_right)),
        "prototypes": {
            "labels": model.prototypes.labels.tolist(),
            "n_members": model.prototypes.n_members.tolist(),
            "medoids": model.prototypes.medoids.tolist(),
            "first_values": model.prototypes.values[0].tolist(),
            "places": first.prototypes.tolist(),
        },
        "relevances": model.relevances.tolist(),
        "metric": {
            "kind": model.metric.kind,
            "shape": list(model.metric.factors.shape),
        },
        "object_7": explained(scene, 7),
    }


def arrows_in(shown):
    """Return what a scene says about the arrows of a map."""
    return {
        "origin": list(shown.arrows.origin),
        "features": list(shown.arrows.features),
        "vectors": shown.arrows.vectors.ravel().tolist(),
    }


def explained(scene, i):
    """Return what a scene says about the decision for one object."""
    model, found = scene.model, scene.model.explanations
    row = int(np.searchsorted(found.objects, i))
    return {
        "class_distances": model.class_distances[i].tolist(),
        "class_nearest": model.class_nearest[i].tolist(),
        "contributions": found.contributions[row].tolist(),
        "change": found.changes[row].tolist(),
        "change_distance": float(found.change_distances[row]),
        "change_class": int(found.change_classes[row]),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    SCENE.write_bytes(encode(wine_scene()))
    found = expected(decode(SCENE.read_bytes()))
    EXPECTED.write_text(
        json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
