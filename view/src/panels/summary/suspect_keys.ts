/** Going through the suspects: by buttons and, wherever one is in the view, by keys. */

import type { Context } from "../../context";
import { besideSuspect, currentSuspect, questioned } from "../../scene/audit";
import { decide, undoDecision } from "../../state";

/** Look at the next suspect, or the one before. */
export function step({ scene, store }: Context, way: 1 | -1): void {
  const row = besideSuspect(scene, store.state, way);
  if (row !== null) {
    store.set({ selection: Uint32Array.of(row), tab: "summary", level: "data" });
  }
}

function settle(context: Context, how: "given" | "likely"): void {
  const { scene, store } = context;
  const suspect = currentSuspect(scene, store.state);
  if (suspect) {
    decide(store, suspect.row, suspect[how]);
    step(context, 1);
  }
}

const KEYS: Readonly<Record<string, (context: Context) => void>> = {
  n: (context) => step(context, 1),
  p: (context) => step(context, -1),
  k: (context) => settle(context, "given"),
  r: (context) => settle(context, "likely"),
  u: ({ store }) => undoDecision(store),
};

/** Do what a key says; not where somebody writes, and not beside other keys. */
export function onSuspectKey(context: Context, event: KeyboardEvent): void {
  const isWriting =
    event.target instanceof HTMLElement &&
    event.target.matches("input, select, textarea");
  const hasOthers = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  const act = KEYS[event.key];
  const isKnown =
    questioned(context.scene).size > 0 ||
    (event.key === "u" && context.store.state.decisions.length > 0);
  if (act && !isWriting && !hasOthers && isKnown) {
    act(context);
    event.preventDefault();
    event.stopPropagation();
  }
}
