/** Labels that a person decides on: another class for points, the way back, and files. */

import type { Context } from "../context";
import { decisionsCsv, decisionsPython } from "../save/decisions";
import { download } from "../save/download";
import { counted } from "../scene/words/format";
import { decide, decided, type State, undoDecision } from "../state";
import { button } from "../ui/button";
import { html } from "../ui/elements";

const NO_FILES = "as files, and to fit the map again";

/** A list of classes for some points; null where they have no labels of their own. */
export function relabelPart(
  { scene, store }: Context,
  points: Uint32Array,
): HTMLElement | null {
  if (scene.labels === null || scene.new_rows || scene.comparison) {
    return null;
  }
  const words =
    points.length === 1 ? "Relabel …" : `Relabel ${counted(points.length, "point")} …`;
  const n = decided(store.state).size;
  const undo = () => undoDecision(store);
  const open = () => store.set({ tab: "summary" });
  return html(
    "div",
    { class: "ls-buttons ls-relabel" },
    html(
      "select",
      {
        class: "ls-select",
        "data-key": "relabel",
        "aria-label": "Give another class",
        onchange: (event) =>
          decide(store, points, (event.target as HTMLSelectElement).value),
      },
      html("option", { value: "", selected: true, disabled: true }, words),
      ...scene.classes.map((name) => html("option", { value: name }, name)),
    ),
    n > 0
      ? button("Undo", undo, { key: "undo", title: "Take back the last decision" })
      : null,
    n > 0
      ? button(`${counted(n, "label")} decided`, open, {
          key: "decided",
          class: "ls-link",
          title: `Opens the Summary, which has them ${NO_FILES}`,
        })
      : null,
  );
}

/** What can be made of the decisions. */
export function decisionButtons({ scene, refit }: Context, state: State): HTMLElement {
  const isEmpty = state.decisions.length === 0;
  const save = (parts: string[], type: string, name: string) =>
    download(new Blob(parts, { type }), name);
  const csv = () => save(decisionsCsv(scene, state), "text/csv", "labels.csv");
  const python = () =>
    save([decisionsPython(scene, state)], "text/x-python", "labels.py");
  const buttons = [
    button("Save CSV", csv, {
      key: "suspect:csv",
      title: "All suspects and all decisions",
    }),
    button("Save Python", python, {
      key: "suspect:python",
      title: "A function that changes y accordingly",
      disabled: isEmpty,
    }),
  ];
  if (refit) {
    const again = () => refit(decided(state));
    buttons.push(
      button("Fit again", again, {
        key: "suspect:refit",
        title: "Fit the map to these labels, from where it stands",
        disabled: isEmpty,
      }),
    );
  }
  return html("div", { class: "ls-buttons" }, ...buttons);
}
