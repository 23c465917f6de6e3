"""How Sphinx builds the site: ``make docs``.

Nothing is fetched, neither by the build nor by the pages: formulas are MathML, which
browsers draw themselves.
"""

import warnings

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx_gallery.sorting import ExplicitOrder

import labelscape

# Examples that warn show the warning, and not where it was raised on this machine.
warnings.formatwarning = lambda text, kind, *_: f"{kind.__name__}: {text}\n"

project = "Labelscape"
author = "The Labelscape developers"
project_copyright = f"%Y, {author}"
version = release = labelscape.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery", "tutorials"]
templates_path = ["_templates"]

html_theme = "furo"
html_title = f"Labelscape {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "none"  # numpydoc's types have shapes, which say more
numpydoc_show_class_members = False  # the template lists them

sphinx_gallery_conf = {
    "examples_dirs": ["tutorials", "gallery"],
    "gallery_dirs": ["auto_tutorials", "auto_gallery"],
    "doc_module": ("labelscape",),
    "backreferences_dir": "generated/examples",
    "within_subsection_order": ExplicitOrder(
        [
            "plot_cell_types.py",
            "plot_wine_map.py",
            "plot_honesty.py",
            "plot_certify.py",
            "plot_cross_fitting.py",
            "plot_classifier_map.py",
            "plot_fisher_modes.py",
            "plot_fisher_kernel.py",
            "plot_relevances.py",
            "plot_explain.py",
            "plot_curved_borders.py",
            "plot_push_and_grow.py",
            "plot_class_level.py",
            "plot_lfda.py",
            "plot_classimap.py",
            "plot_class_nerv.py",
            "plot_shepard.py",
            "plot_distortion.py",
        ]
    ),
    "capture_repr": ("__repr__",),
    "download_all_examples": False,
    "min_reported_time": 1e6,  # times on a busy machine say nothing
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}


def without_scikit_learn(app, what, name, obj, skip, options):
    """Leave out what estimators inherit from scikit-learn, and fields of tuples."""
    inherited = str(getattr(obj, "__module__", "")).startswith("sklearn.")
    is_field = str(getattr(obj, "__doc__", "")).startswith("Alias for field")
    return True if inherited or is_field or name.endswith("_request") else None


def draw_math(self, node):
    """Write a formula as MathML."""
    self.body.append(tex2mathml(node.astext(), as_block=node.tagname == "math_block"))
    raise SkipNode


def setup(app):
    app.connect("autodoc-skip-member", without_scikit_learn)
    app.add_html_math_renderer("mathml", (draw_math, None), (draw_math, None))
