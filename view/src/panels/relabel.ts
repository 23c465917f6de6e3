/** Decisions about labels: another class for points, undo, and files. */

import type { Context } from "../context";
import { csvLine, plain } from "../files/csv";
import { download } from "../files/out";
import { RELABEL, SUMMARY } from "../messages";
import { decided } from "../scene/decisions";
import { questioned } from "../scene/marked_points";
import type { Scene } from "../scene/scene";
import { decide, type State, undoDecision } from "../state";
import { button, html, select } from "../ui/elements";

/** A list of classes for some points; null if the points have no labels. */
export function relabelPart(
  { scene, store }: Context,
  points: Uint32Array,
): HTMLElement | null {
  if (scene.labels === null || scene.new_rows || scene.comparison) {
    return null;
  }
  const n = decided(store.state).size;
  const undo = () => undoDecision(store);
  const open = () => store.set({ tab: "summary" });
  return html(
    "div.ls-buttons.ls-relabel",
    select(
      scene.classes.map((name) => [name, name] as const),
      (label) => decide(store, points, label),
      {
        class: "ls-select",
        "data-key": "relabel",
        "aria-label": RELABEL.label,
        first: RELABEL.choose(points.length),
      },
    ),
    n > 0 ? button("Undo", undo, { key: "undo", title: RELABEL.undo }) : null,
    n > 0
      ? button(SUMMARY.decided(n), open, {
          key: "decided",
          class: "ls-link",
          title: RELABEL.open,
        })
      : null,
  );
}

/** Buttons to save the decisions, or to fit the map again. */
export function decisionButtons({ scene, refit }: Context, state: State): HTMLElement {
  const isEmpty = state.decisions.length === 0;
  const save = (parts: string[], type: string, name: string) =>
    download(new Blob(parts, { type }), name);
  const csv = () => save(decisionsCsv(scene, state), "text/csv", "labels.csv");
  const python = () =>
    save([decisionsPython(scene, state)], "text/x-python", "labels.py");
  const buttons = [
    button("Save CSV", csv, { key: "suspect:csv", title: RELABEL.saveCsv }),
    button("Save Python", python, {
      key: "suspect:python",
      title: RELABEL.savePython,
      disabled: isEmpty,
    }),
  ];
  if (refit) {
    const again = () => refit(decided(state));
    buttons.push(
      button("Fit again", again, {
        key: "suspect:refit",
        title: RELABEL.refit,
        disabled: isEmpty,
      }),
    );
  }
  return html("div.ls-buttons", ...buttons);
}

// Decisions about labels as files for other programs: a table, and a Python function.

const COLUMNS = ["row", "id", "given", "likely", "chance_wrong", "decision", "label"];

/** All suspects with their decisions (no label if not reviewed), then other decisions. */
export function decisionsCsv(scene: Scene, state: State): string[] {
  const labels = decided(state);
  const suspects = questioned(scene);
  const rows = new Set([...suspects.keys(), ...labels.keys()]);
  const lines = Array.from(rows, (row) => {
    const suspect = suspects.get(row);
    const given = givenTo(scene, row);
    const label = labels.get(row);
    const decision =
      label === undefined ? "open" : label === given ? "kept" : "relabelled";
    const id = scene.ids?.at(row) ?? String(row);
    const chance = suspect?.chance_wrong?.toPrecision(4);
    const texts = [id, given, suspect?.likely ?? ""].map(plain);
    const figure = chance === undefined ? "" : String(Number(chance));
    return csvLine([String(row), ...texts, figure, decision, plain(label ?? "")]);
  });
  return [csvLine(COLUMNS), ...lines];
}

/** A Python module with the decisions, and a function that applies them to labels. */
export function decisionsPython(scene: Scene, state: State): string {
  const labels = [...decided(state)].sort(([a], [b]) => a - b);
  const isKept = ([row, label]: readonly [number, string]) =>
    givenTo(scene, row) === label;
  const changed = labels.filter((one) => !isKept(one));
  const kept = labels.filter(isKept).map(([row]) => row);
  const examples = [...new Set(changed.map(([, label]) => label))]
    .map((label) => {
      const index = scene.classes.indexOf(label);
      const data: ArrayLike<number> = scene.labels?.data ?? [];
      const row: number = Array.prototype.indexOf.call(data, index);
      return [JSON.stringify(label), row] as const;
    })
    .filter(([, row]) => row >= 0);
  // The escapes of JSON strings are also valid in Python.
  return `"""Decisions about labels, made in Labelscape.

Row numbers start at 0, in the order of the table.
"""

import numpy as np

TABLE = ${JSON.stringify(scene.title)}
RELABELLED = {
${changed.map(([row, label]) => `    ${row}: ${JSON.stringify(label)},\n`).join("")}}
KEPT = [${kept.join(", ")}]
# For each new label, a row with this label, which has the right type of value.
EXAMPLES = {${examples.map(([label, row]) => `${label}: ${row}`).join(", ")}}


def repaired(y):
    """Return a copy of the labels y in which the relabeled rows are corrected."""
    given = np.array(y)
    labels = given.copy()
    for row, label in RELABELLED.items():
        labels[row] = given[EXAMPLES[label]] if label in EXAMPLES else label
    return labels
`;
}

/** The original label of a row. */
function givenTo({ classes, labels }: Scene, row: number): string {
  return classes[labels?.data[row] ?? -1] ?? "";
}
