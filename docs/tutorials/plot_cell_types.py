"""
Are these cell types real, and which labels can you trust?
==========================================================

You have single cells with cell-type labels, and you want to show them on a map.
Reviewers will ask four questions: are these types really separated, or is the
separation an artifact of the method? Which labels are doubtful? Are the types also
separated for a new donor? What should the paper report?

The data are 700 blood cells (PBMC) with ten cell-type labels, from the ``scanpy``
package. For your own cells, replace the first lines by ``adata =
anndata.read_h5ad("mine.h5ad")``.
"""

import warnings
from importlib.util import find_spec
from pathlib import Path

import anndata
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import umap

import labelscape
from labelscape.embeddings import CrossFittedTSNE
from labelscape.plotting import plot_map
from labelscape.quality import honesty, knn_accuracy

folder = Path(find_spec("scanpy").origin).parent / "datasets"
with warnings.catch_warnings():  # of the format, which is an old one
    warnings.simplefilter("ignore")
    adata = anndata.read_h5ad(folder / "10x_pbmc68k_reduced.h5ad")

X = np.asarray(adata.obsm["X_pca"], dtype=float)  # 50 principal components
y = np.asarray(adata.obs["bulk_labels"].astype(str))
pd.Series(y).value_counts()

# %%
# A map, and a test of what it shows
# ----------------------------------
# A supervised map uses the labels to place the cells, so it separates any labels, even
# random ones. A *cross-fitted* map does not use a cell's own label to place the cell:
# the class probabilities of the cell are predicted by models that were fitted without
# this cell.

cells = CrossFittedTSNE(random_state=0).fit(X, y)
_, axes = plt.subplots(figsize=(9, 5), layout="constrained")
_ = plot_map(cells.embedding_, y, ax=axes, title="700 blood cells, cross-fitted map")

# %%
# Is the separation real? The test fits the map to half of the cells, places the other
# half without their labels, and measures how often the neighbors on the map have the
# right type. Every type has the same weight, so chance is 10%.

result = honesty(CrossFittedTSNE(), X, y, random_state=0)
result

# %%
# The separation is real, but incomplete. Which types are separated? For each type, this
# is the share of held-out cells that get the right type:

pd.Series(result.by_class).sort_values().round(2)

# %%
# B cells and monocytes are separated. The T-cell subtypes are not separated: they are
# confused with each other, and a map that showed them as separate islands would be
# misleading.

for pair in result.pairs[:4]:
    print(f"{pair.a} and {pair.b}: {pair.share:.0%} of their cells")

# %%
# The same cells with random labels
# ---------------------------------
# What would the map look like if the labels were random? We shuffle the labels, and
# draw a map by supervised UMAP and a cross-fitted map. The titles show for how many
# cells the five nearest neighbors on the map predict the shuffled label.

rng = np.random.default_rng(0)
shuffled = rng.permutation(y)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    by_umap = umap.UMAP(random_state=0).fit_transform(X, pd.factorize(shuffled)[0])
with warnings.catch_warnings(record=True) as caught:
    ours = CrossFittedTSNE(random_state=0).fit(X, shuffled)

_, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
maps = {"Supervised UMAP": by_umap, "Cross-fitted map": ours.embedding_}
for ax, (name, Z) in zip(axes, maps.items(), strict=True):
    title = f"{name}, random labels: {knn_accuracy(Z, shuffled, 5):.0%}"
    legend = "none" if ax is axes[0] else "beside"
    plot_map(Z, shuffled, ax=ax, title=title, legend=legend)

# %%
# The labels are random, but supervised UMAP has sorted the cells by label inside each
# island, so the map shows structure that does not exist. On the cross-fitted map, the
# labels are mixed. The fit of this map also gave a warning:

print(caught[-1].message)

# %%
# The test gives the same answer:

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    verdict = honesty(CrossFittedTSNE(), X, shuffled, random_state=0).verdict
print(verdict)

# %%
# Which labels can you trust?
# ---------------------------
# The audit ranks all cells by the probability that their label is wrong. This
# probability is computed from models that were fitted without the cell.

report = labelscape.audit(X, y, random_state=0)
print(report)

# %%
# Where types overlap this much, a wrong label cannot be distinguished from a cell
# between two types, so no list of wrong labels is given. The ranking shows which cells
# to check first. These are the marker genes of the first cells in the ranking:

raw = adata.raw.to_adata()
markers = ("CD8B", "CD4", "CD3D", "CD14", "FCER1A", "CD79A", "NKG7")
genes = [gene for gene in markers if gene in raw.var_names]
first = report.ranking[:8]
table = raw[first, genes].to_df().round(1).reset_index(drop=True)
table.insert(0, "label", y[first])
table.insert(1, "models predict", np.asarray(report.likely)[first])
print(table.to_string(index=False))

# %%
# *FCER1A* is a marker of dendritic cells. Both cells in this table that are labeled as
# monocytes express this gene. *NKG7* is a marker of cytotoxic cells. The second cell is
# labeled as naive, but expresses *NKG7* strongly. In these cases, the marker genes
# agree with the models.

# %%
# Are the types separated for a new donor?
# ----------------------------------------
# All of these cells come from one donor, so they cannot answer this question. With
# several donors, pass them as groups: cells of one donor are then never split between
# fitting and testing, and the result is about new donors instead of new cells of the
# same donors::
#
#     honesty(CrossFittedTSNE(), X, y, groups=adata.obs["donor"])
#
# But another possible problem can be checked here: is the cell-cycle phase confounded
# with the cell type?

phase = np.asarray(adata.obs["phase"].astype(str))
for finding in labelscape.audit(X, y, batch=phase, random_state=0).findings:
    print("-", finding)

# %%
# What to report in the paper
# ---------------------------
# Report the map together with the test: the method, the accuracy on held-out cells with
# its interval, the accuracy expected by chance, and the p-value. The interactive page
# below has the map, the test and the ranking of the audit. ``to_html`` wrote it as one
# HTML file that opens offline. You can zoom, click on cells, and open *Summary*. Pages
# of ``labelscape map`` also have a *Text for a paper*, under *Quality*.

page = Path("../_static/live")
page.mkdir(parents=True, exist_ok=True)
view = labelscape.explore(
    cells,
    X,
    y,
    ids=list(adata.obs_names),
    title="700 blood cells",
    honesty=result,
    audit=report,
)
_ = view.to_html(page / "cells.html")

# %%
# .. raw:: html
#
#     <iframe src="../_static/live/cells.html" title="Map of 700 blood cells"
#      style="width:100%;height:640px;border:1px solid #ccc"></iframe>
