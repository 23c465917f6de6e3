"""What the pages of the verbs show."""

from dataclasses import replace
from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import Table
from labelscape.jobs._classifying import ClassifyResult
from labelscape.jobs._comparing import Comparison
from labelscape.jobs._mapping import MapResult
from labelscape.prototypes import PushAndGrow
from labelscape.scene import Scene, build_scene
from labelscape.scene._honesty import shown_honesty

# A prototype model is fitted beside other maps up to this many rows times features.
MOST_FOR_PROTOTYPES = 20_000_000


def explaining(result: MapResult) -> Any:
    """Return the model that explains the classes on the page of a map.

    A map by a method without prototypes gets those of Push and Grow, so that all
    levels of exploration are there; None where that would take long.
    """
    has_prototypes = hasattr(result.model[-1], "prototypes_")
    return result.model if has_prototypes else _prototypes(result.table)


def map_scene(result: MapResult, *, seed: int = 0, prototypes: Any = None) -> Scene:
    """Return what the page of one map shows.

    Parameters
    ----------
    result : MapResult
        What `map_table` returned.
    seed : int, default=0
        Seed of everything random.
    prototypes : estimator, default=None
        What `explaining` returned, if it has been asked already.
    """
    last = result.model[-1]
    model = explaining(result) if prototypes is None else prototypes
    return build_scene(
        result.model,
        result.table.X,
        result.table.y,
        **_about(result.table),
        title=f"{result.table.name}: {type(last).__name__}",
        prototypes=None if model is result.model else model,
        quality=result.quality,
        honesty=result.honesty,
        random_state=seed,
    )


def comparison_scene(found: Comparison, *, seed: int = 0) -> Scene:
    """Return what the page of a comparison shows: all maps of the same points.

    Parameters
    ----------
    found : Comparison
        What `compare_methods` returned, with one map at least.
    seed : int, default=0
        Seed of everything random.
    """
    first, *others = found.maps
    scene = build_scene(
        first.model,
        found.table.X,
        found.table.y,
        **_about(found.table),
        title=f"{found.table.name}: {len(found.maps)} maps",
        maps={result.method: result.model for result in others},
        prototypes=_prototypes(found.table),
        regions=False,
        random_state=seed,
    )
    return replace(
        scene,
        maps=tuple(
            _judged(shown, result)
            for shown, result in zip(scene.maps, found.maps, strict=True)
        ),
    )


def classifier_scene(found: ClassifyResult, *, seed: int = 0) -> Scene:
    """Return what the page of a classifier shows: its regions under all rows.

    Parameters
    ----------
    found : ClassifyResult
        What `classify_table` returned.
    seed : int, default=0
        Seed of everything random.
    """
    last = found.classifier
    is_prototypes = hasattr(getattr(last, "_final_estimator", last), "prototypes_")
    return build_scene(
        found.picture,
        found.table.X,
        found.table.y,
        **_about(found.table),
        title=f"{found.table.name}: what {found.name} decides",
        prototypes=last if is_prototypes else None,
        held_out=found.held_out,
        random_state=seed,
    )


def _about(table: Table) -> dict[str, Any]:
    return {"feature_names": table.feature_names, "ids": table.ids}


def _prototypes(table: Table) -> Any:
    """Return a model that explains the classes, or None where it would take long."""
    if table.X.size > MOST_FOR_PROTOTYPES:
        return None
    model = make_pipeline(StandardScaler(), PushAndGrow())
    return model.fit(table.X, table.y)


def _judged(shown: Any, result: MapResult) -> Any:
    """Return a map of a scene with what is known about it."""
    honest = result.honesty
    return replace(
        shown,
        name=result.method,
        honesty=None if honest is None else shown_honesty(honest),
    )
