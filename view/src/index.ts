/** render({ model, el }): the only entry, the same for all hosts. */

import type { Context, Labels } from "./context";
import type { Model, ModelEvent, ModelListener, Traits } from "./hosts/model";
import { Questions } from "./hosts/questions";
import { levelsOf } from "./panels/toolbar";
import { notSaved, png } from "./save/save";
import { decodeScene, type Scene } from "./scene/scene";
import { type Decision, decided, START, type State, Store, type Theme } from "./state";
import { View } from "./view";

interface Props {
  readonly model: Model;
  readonly el: HTMLElement;
  /** What to show in place of the model's scene. */
  readonly scene?: Scene;
  readonly audit?: Context["audit"];
  readonly mend?: Context["mend"];
}

/** Names that both sides may change, as the model calls them. */
const SHARED = ["selection", "object", "level", "map", "color_by", "theme"] as const;

/** What the model is told. */
const TOLD = [...SHARED, "decisions"] as const;

/** Show the model's scene in an element; call what is returned to take it away. */
export function render(props: Props): () => void {
  const { model } = props;
  let { stop, store } = show(props, {});
  const again = () => {
    stop();
    ({ stop, store } = show(props, store?.state ?? {}));
  };
  model.on("change:scene", again);
  return () => {
    model.off("change:scene", again);
    stop();
  };
}

export default { render };

interface Showing {
  readonly stop: () => void;
  readonly store: Store | null;
}

/** Show the scene; `before` is how a person had arranged the one in its place. */
function show(props: Props, before: Partial<State>): Showing {
  const { model, el, audit, mend } = props;
  const bytes = model.get("scene");
  const scene = props.scene ?? (bytes?.byteLength ? decodeScene(bytes) : null);
  if (scene === null) {
    return { stop: () => {}, store: null };
  }
  const first = { decisions: decisionsOf(model), ...before };
  const store = new Store({ ...arranged(first, scene), ...received(model, scene) });
  const questions = model.get("can_ask") && model.send ? new Questions(model) : null;
  const measure = model.send ? () => model.send?.({ kind: "measure" }) : null;
  const refit = (labels: Labels) =>
    model.send?.({ kind: "refit", decisions: [...labels] });
  const context = {
    scene,
    store,
    asker: questions,
    measure,
    refit: model.get("can_refit") ? refit : null,
    audit,
    mend,
  };
  const view = new View(el, context, model.get("height") ?? 0);

  let isTelling = false;
  const tell = (state: State) => {
    const now = sent(state);
    const news = TOLD.filter((name) => !isSame(model.get(name), now[name]));
    isTelling = true;
    try {
      for (const name of news) {
        model.set(name, now[name]);
      }
    } finally {
      isTelling = false;
    }
    if (news.length > 0) {
      model.save_changes();
    }
  };
  const hear = () => {
    // The model knows only a part of the news yet: the rest would be taken back.
    if (!isTelling) {
      store.set(changes(store.state, received(model, scene)));
    }
  };
  const form = () => {
    const positions = floats(model.get("forming"));
    const fits = positions.length === 2 * scene.n_points;
    view.form(fits ? positions : null, model.get("forming_words") ?? "");
  };
  const judge = () =>
    view.judging({
      isPossible: model.get("can_measure") ?? false,
      words: model.get("measuring") ?? "",
    });
  const answer = async (message: unknown) => {
    const { kind, number } = message as { kind?: string; number?: number };
    if (kind !== "picture") {
      return;
    }
    try {
      const picture = await png(view, context);
      model.send?.({ kind, number }, undefined, [await picture.arrayBuffer()]);
    } catch (error) {
      const words = notSaved(error);
      view.tell(words);
      model.send?.({ kind: "refused", number, words });
    }
  };

  const heard: [ModelEvent, ModelListener][] = [
    ...SHARED.map((name): [ModelEvent, ModelListener] => [`change:${name}`, hear]),
    ["change:forming", form],
    ["change:forming_words", form],
    ["change:can_measure", judge],
    ["change:measuring", judge],
    ["msg:custom", answer],
  ];
  for (const [name, callback] of heard) {
    model.on(name, callback);
  }
  const stopTelling = store.on(tell);
  form();
  judge();
  const stop = () => {
    for (const [name, callback] of heard) {
      model.off(name, callback);
    }
    stopTelling();
    questions?.destroy();
    view.destroy();
  };
  return { stop, store };
}

/** What stays when a scene comes in place of another, such as the same one measured. */
function arranged(before: Partial<State>, scene: Scene): Partial<State> {
  const { tab, tool, regions, density, marks, decisions, turn } = {
    ...START,
    ...before,
  };
  const together = before.together ?? Boolean(scene.comparison);
  return { tab, tool, regions, density, marks, decisions, turn, together };
}

/** The shared part of the state, as the model keeps it. */
function sent(state: State): Pick<Traits, (typeof TOLD)[number]> {
  const { buffer, byteOffset, byteLength } = state.selection;
  return {
    selection: new DataView(buffer, byteOffset, byteLength),
    object: state.object ?? -1,
    level: state.level,
    map: state.map,
    color_by: state.colorBy,
    theme: state.theme,
    decisions: JSON.stringify([...decided(state)]),
  };
}

/** What was decided before, as the model keeps it. */
function decisionsOf(model: Model): Decision[] {
  const pairs: [number, string][] = JSON.parse(model.get("decisions") || "[]");
  return pairs.map(([row, label]) => ({ rows: Uint32Array.of(row), label }));
}

/** The shared part of the state, read from the model; what makes no sense is left out. */
function received(model: Model, scene: Scene): Partial<State> {
  const n = scene.n_points;
  const object = model.get("object") ?? -1;
  const level = levelsOf(scene).find((one) => one === model.get("level"));
  const map = model.get("map") ?? 0;
  const colorBy = model.get("color_by");
  return {
    selection: integers(model.get("selection")).filter((point) => point < n),
    object: object >= 0 && object < n ? object : null,
    ...(level ? { level } : {}),
    ...(map in scene.maps ? { map } : {}),
    ...(colorBy ? { colorBy } : {}),
    theme: themeOf(model),
  };
}

/** What is really new: an echo of the own selection is another array with equal bytes. */
function changes(state: State, news: Partial<State>): Partial<State> {
  const selection = news.selection ?? state.selection;
  const isEcho =
    selection.length === state.selection.length &&
    selection.every((point, k) => point === state.selection[k]);
  return isEcho ? { ...news, selection: state.selection } : news;
}

function themeOf(model: Model): Theme {
  const theme = model.get("theme");
  return theme === "light" || theme === "dark" ? theme : "auto";
}

function isSame(a: unknown, b: unknown): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) {
    return Object.is(a, b);
  }
  const [x, y] = [bytesOf(a), bytesOf(b)];
  return x.length === y.length && x.every((byte, k) => byte === y[k]);
}

function integers(given: DataView | undefined): Uint32Array {
  return new Uint32Array(copied(given));
}

function floats(given: DataView | undefined): Float32Array {
  return new Float32Array(copied(given));
}

/** The bytes from their beginning: what a host hands over may begin at any byte. */
function copied(given: DataView | undefined): ArrayBuffer {
  return given ? bytesOf(given).slice().buffer : new ArrayBuffer(0);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
