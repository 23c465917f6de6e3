"""What the specifications ask for, row by row, and what shows it.

A proof is a test, by its path and name, or a row of a table or figure: paper, item and
what. The verdict follows from it: a test that is there has passed, as no change is
accepted otherwise, and a row has its own verdict. A test that asks for less than the
specification, because it is to be quick, shows it "in part". What a benchmark of its
own prints is "measured apart": nothing is decided here.
"""

from pathlib import Path
from typing import NamedTuple

from benchmarks.papers._record import latest
from benchmarks.papers._verdict import REACHED

ROOT = Path(__file__).parents[2]
NOT_RUN, NOT_SHOWN, IN_PART = "not run", "not shown", "in part"
APART, BENCHMARK = "measured apart", "python -m benchmarks "


class Row(NamedTuple):
    """What a specification asks for, and the test or the result that shows it.

    ``less`` is what the test asks for, where that is less.
    """

    spec: str
    what: str
    wanted: str
    proof: str
    less: str = ""


def verdict_of(row):
    """Return the verdict that follows from the proof of a row."""
    if not row.proof:
        return NOT_SHOWN
    if row.proof.startswith(BENCHMARK):
        return APART
    if row.proof.startswith("tests/"):
        shown = IN_PART if row.less else REACHED
        return shown if is_there(row.proof) else NOT_SHOWN
    paper, item, what = row.proof.split("; ")
    result = latest().get((paper, item))
    found = [one for one in (result or {"rows": []})["rows"] if one.get("what") == what]
    return found[0]["verdict"] if found else NOT_RUN


def is_there(proof):
    """Return whether a test is there."""
    path, name = proof.split("::")
    file = ROOT / path
    return file.exists() and f"def {name}(" in file.read_text(encoding="utf-8")


def _rows(spec, folder, *rows):
    """Return rows of one specification; tests are named below a folder."""
    return [
        Row(spec, what, wanted, _path(folder, proof), *less)
        for what, wanted, proof, *less in rows
    ]


def _path(folder, proof):
    is_whole = not proof or ";" in proof or proof.startswith(BENCHMARK)
    return proof if is_whole else folder + proof


_SEGMENTATION = "000; Table 1, segmentation; "
_LVQ = "tests/prototypes/lvq/"
ROWS = [
    *_rows(
        "prototypes.md",
        _LVQ,
        (
            "segmentation, LiRaM 7P, M = 2",
            "92.9 / 88.0",
            f"{_SEGMENTATION}LiRaM LVQ 7P",
        ),
        ("LiRaM 14P, M = 2", "91.9 / 90.3", f"{_SEGMENTATION}LiRaM LVQ 14P"),
        ("LLiRaM, M = 2", "89.0 / 85.7", f"{_SEGMENTATION}LLiRaM LVQ"),
        (
            "M = 2 by the paper's schedule, mean of seeds",
            "test >= 83.5",
            "test_papers.py::test_segmentation_in_two_dimensions_by_the_paper_s_schedule",
            "above 82 in 3 runs of 400 epochs",
        ),
        (
            "a full matrix",
            "test >= 88",
            "test_papers.py::test_segmentation_with_a_full_matrix",
            "above 87 in 3 runs of 400 epochs",
        ),
        (
            "M = 16 cut to 2 after training",
            "at least 5 below M = 2",
            "test_papers.py::"
            "test_dropping_rows_after_training_is_worse_than_training_with_few",
            "4 below, 3 runs",
        ),
        (
            "eigenvalues of M = 16",
            "9-11 at epoch 120, 3-4 at 500",
            "test_papers.py::"
            "test_few_directions_of_a_full_matrix_survive_long_training",
            "8-12 and 2-5, one run",
        ),
        ("LFDA", "the paper's 83.7 / 85.8", f"{_SEGMENTATION}LFDA, 1-NN on the map"),
        (
            "L-BFGS ends at no higher cost than online training",
            "cost <= SGD's",
            "test_training.py::"
            "test_the_cost_falls_and_ends_where_the_paper_s_training_ends_or_lower",
        ),
        ("SRBCT, LiRaM", "100 in 10 of 10", "000; Fig. 8; SRBCT, LiRaMLVQ"),
        ("NCI, LiRaM", "the paper's mean 97.7", "000; Fig. 8; NCI, LiRaMLVQ"),
        ("NCI, LLiRaM", "the paper's mean 94.6", "000; Fig. 8; NCI, LocalLiRaMLVQ"),
        (
            "gradients against finite differences",
            "1e-6 relative",
            "test_gradients.py::test_the_gradient_is_the_slope_of_the_cost",
        ),
        (
            "the slope of mu along Omega",
            "0",
            "test_gradients.py::test_the_slope_along_omega_itself_is_0",
        ),
        (
            "theta = 10 makes eigenvalues alike",
            "ratio below 1.1",
            "test_degenerate.py::test_a_strong_penalty_makes_all_eigenvalues_alike",
        ),
        (
            "LLiRaM's distances in canonical form",
            "unchanged",
            "test_canonical.py::"
            "test_distances_do_not_change_and_local_matrices_turn_along",
        ),
    ),
    *_rows(
        "prototypes.md",
        "tests/embeddings/test_lfda.py::",
        (
            "NCI, LFDA, k = 1 and 4",
            "96.7 and 91.8",
            "test_nci_gives_the_papers_one_nn_accuracies",
        ),
        (
            "SRBCT, LFDA, k = 1..10",
            "100",
            "test_srbct_is_free_of_error_for_every_number_of_neighbours",
        ),
    ),
    *_rows(
        "prototypes.md",
        "tests/prototypes/grow/test_push_and_grow.py::",
        (
            "Push and Grow on the paper's sets, by default",
            "the floors of the table",
            "test_the_specifications_floors_are_reached_on_the_papers_data",
            "iris, sonar, ionosphere, balance-scale",
        ),
        (
            "scaling all features by 1000",
            "changes nothing",
            "test_the_scale_of_the_features_changes_nothing",
        ),
        (
            "exact XOR",
            "4 prototypes, 100 %",
            "test_exact_xor_is_solved_with_four_prototypes",
        ),
    ),
    *_rows(
        "prototype_views.md",
        "tests/embeddings/",
        (
            "LFDA's class-wise sums against pair sums",
            "1e-10",
            "test_lfda_scatter.py::test_class_wise_sums_equal_the_sums_over_pairs",
        ),
        (
            "an object's distances to prototypes",
            "exact",
            "weighted_mds/test_levels.py::"
            "test_prototypes_stand_at_their_exact_distances",
        ),
    ),
    *_rows(
        "mappings.md",
        "tests/embeddings/",
        (
            "data that are 2-D already",
            "stress 0",
            "stress/test_base.py::test_flat_data_are_drawn_exactly",
        ),
        (
            "ClassiMap of one class",
            "the F(delta) method",
            "stress/test_classimap.py::"
            "test_with_one_class_it_is_the_method_of_input_distances",
        ),
        (
            "ClassiMap, all labels different",
            "CCA",
            "stress/test_classimap.py::test_with_a_class_for_each_object_it_is_cca",
        ),
        (
            "scaling X by c",
            "scales the map by c",
            "stress/test_base.py::test_scaling_the_data_scales_the_map",
        ),
        (
            "permuting the objects, majorisation",
            "permutes the map",
            "stress/test_majorization.py::test_permuting_the_objects_permutes_the_map",
        ),
        (
            "slope of the stress",
            "central differences, 1e-6",
            "stress/test_majorization.py::test_the_pull_is_the_slope_of_the_stress",
        ),
        (
            "NE-XOM on Wine",
            "stress .07, rho .89, r .88",
            "xom/test_nexom.py::test_wine_reaches_the_figures_of_the_paper",
            "stress .08, rho .87, r .87",
        ),
    ),
    *_rows(
        "quality.md",
        "tests/quality/",
        (
            "trustworthiness against scikit-learn",
            "1e-12, with and without ties",
            "test_scores.py::"
            "test_trustworthiness_is_scikit_learns_with_ties_in_the_data",
        ),
        (
            "a turned and scaled copy",
            "T = C = 1, stress 0, rho = r = 1",
            "test_distances.py::test_a_turned_and_scaled_copy_is_perfect",
        ),
        (
            "Q_NX(n - 1)",
            "1",
            "test_coranking.py::test_everybody_is_a_neighbour_in_the_end",
        ),
        (
            "R_NX of random maps",
            "0 within 3 standard errors",
            "test_coranking.py::test_random_maps_have_an_r_nx_of_zero_on_average",
        ),
        (
            "T(X, Y) = C(Y, X)",
            "exactly",
            "test_scores.py::"
            "test_continuity_is_trustworthiness_with_the_spaces_exchanged",
        ),
        (
            "histogram forms against definitions",
            "all k",
            "test_coranking.py::test_all_curves_equal_their_definitions_for_all_k",
        ),
        (
            "four-way splits",
            "add up",
            "test_scores.py::test_tolerated_and_harmful_distortions_add_up",
        ),
        (
            "blocks and whole",
            "the same",
            "test_scores.py::test_blocks_and_threads_do_not_change_a_score",
        ),
        (
            "Wine by PCA",
            "E* 0.095, rho 0.824, r 0.819",
            "test_distances.py::test_wine_by_pca_has_the_known_values",
        ),
    ),
    *_rows(
        "fisher.md",
        "tests/geometry/",
        (
            "identity A against explicit J",
            "1e-12",
            "test_fisher_kernels.py::"
            "test_identity_A_gives_the_lengths_of_the_explicit_matrix",
        ),
        (
            "sphere, midpoint and left rule",
            "one length",
            "test_fisher_kernels.py::test_all_rules_converge_to_one_length",
        ),
        (
            "symmetry, zero diagonal",
            "exactly",
            "test_fisher_metric.py::test_distances_are_symmetric_with_a_zero_diagonal",
        ),
        (
            "d_T when T doubles",
            "does not fall",
            "test_fisher_metric.py::test_lengths_grow_with_the_number_of_steps",
        ),
        (
            "far clusters",
            "measured",
            "test_fisher_kernels.py::"
            "test_far_clusters_are_measured_though_weights_vanish",
        ),
        (
            "a class with one Parzen point",
            "no 0/0",
            "test_fisher_metric.py::test_a_class_with_one_object_has_distances",
        ),
        (
            "translation, rotation, scale",
            "no change",
            "test_fisher_metric.py::"
            "test_moving_turning_and_scaling_the_data_changes_nothing",
        ),
        (
            "slope of the posterior",
            "central differences",
            "test_parzen.py::test_the_slope_of_log_posteriors_makes_the_tensor",
        ),
        (
            "two classes on a line",
            "closed form",
            "test_fisher_metric.py::test_two_classes_on_a_line_have_the_closed_form",
        ),
        (
            "fast against exact path",
            "1e-10, 1e-5 in float32",
            "test_fisher_kernels.py::test_the_fast_kernels_agree_with_the_exact_one",
        ),
        (
            "pairs per second and core",
            ">= 1.0 M (float64), 2.0 M (float32)",
            f"{BENCHMARK}fisher_metric",
        ),
        (
            "picture of an SVM, kernel t-SNE",
            "85 %",
            "001; Fig. 5; kernel t-SNE",
        ),
        (
            "picture of an SVM, Fisher kernel t-SNE",
            "92 %",
            "001; Fig. 5; Fisher kernel t-SNE, our metric",
        ),
    ),
    *_rows(
        "honesty.md",
        "tests/quality/certificate/",
        (
            "noise sets",
            "p < .05 in at most 5 %",
            "test_chance.py::"
            "test_labels_that_say_nothing_have_p_values_that_are_uniform_or_larger",
            "300 sets of random predictions, no maps",
        ),
        (
            "200 noise sets, five methods",
            "p < .05 in at most 5 %",
            f"{BENCHMARK}certificate noise",
        ),
        ("power at n = 300 and 2 sd", ">= .95", f"{BENCHMARK}certificate power"),
        (
            "copies of rows with random labels",
            "no",
            "test_honesty.py::"
            "test_copies_of_rows_with_random_labels_are_not_taken_for_a_separation",
        ),
        (
            "patients measured four times",
            "no",
            "test_honesty.py::"
            "test_patients_measured_four_times_are_not_taken_for_a_separation",
        ),
        (
            "a rare class",
            "yes",
            "test_honesty.py::test_a_rare_class_that_is_told_apart_perfectly_is_real",
        ),
        (
            "a row counter",
            "left out and named",
            "test_honesty.py::test_a_row_counter_in_a_sorted_table_is_named",
        ),
        (
            "time of `labelscape map`, 11,000 × 16",
            "<= 60 s on 2 cores",
            f"{BENCHMARK}certificate time",
        ),
    ),
    *_rows(
        "crossfit.md",
        "tests/embeddings/tsne/test_cross_fitted_map.py::",
        (
            "unseen objects",
            "told as well as fitted ones",
            "test_new_objects_are_told_apart_as_well_as_fitted_ones_and_as_in_the_data",
            "digits",
        ),
        (
            "coin-flip labels",
            "gap below .03",
            "test_coin_flips_are_not_separated",
            "within .11 of chance, 200 objects",
        ),
        (
            "threads",
            "the same bits",
            "test_one_and_two_threads_give_the_same_bits",
        ),
        (
            "saved without data",
            "places to the same bits",
            "test_a_model_from_a_file_places_new_objects_to_the_same_bits",
        ),
        (
            "the league against supervised UMAP",
            "above on every set",
            f"{BENCHMARK}league",
        ),
    ),
    *_rows(
        "audit.md",
        "tests/auditing/",
        (
            "false alarms at a stated rate",
            "no more than stated, most errors found",
            "test_discoveries.py::"
            "test_no_more_false_alarms_than_allowed_and_most_errors_found",
            "made-up probabilities",
        ),
        (
            "planted errors",
            "found and mended",
            "test_audit.py::test_planted_errors_are_found_and_mended",
        ),
        ("nine settings beside cleanlab", "missed <= .10", f"{BENCHMARK}audit"),
        (
            "MNIST's 15 wrong labels",
            "10 among the first 100",
            f"{BENCHMARK}audit --known",
        ),
        ("10,000 × 60", "under 60 s on 2 cores", f"{BENCHMARK}audit --times"),
    ),
]
