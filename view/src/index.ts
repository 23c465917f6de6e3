/** render({ model, el }): the only entry point, for all hosts. */

import type { Context } from "./context";
import type { Model, ModelEvent, ModelListener, Traits } from "./hosts/model";
import { Questions } from "./hosts/questions";
import { levelsOf } from "./panels/toolbar";
import { notSaved, png } from "./save/save";
import { decided, type Labels } from "./scene/decisions";
import { decodeScene, type Scene } from "./scene/scene";
import { chosen, isSelection, START, type State, Store } from "./state";
import { View } from "./view";

interface Props {
  readonly model: Model;
  readonly el: HTMLElement;
  /** A scene to show instead of the scene of the model. */
  readonly scene?: Scene;
  readonly audit?: Context["audit"];
  readonly fix?: Context["fix"];
}

/** Traits that both the view and Python may change. */
const SHARED = ["selection", "object", "level", "map", "color_by", "theme"] as const;

/** Traits that are sent to the model. */
const SENT = [...SHARED, "decisions"] as const;

/** Show the scene of a model in an element; call the returned function to remove it. */
export function render(props: Props): () => void {
  const { model } = props;
  let shown = show(props, {});
  const again = () => {
    shown?.stop();
    shown = show(props, shown?.store.state ?? {});
  };
  model.on("change:scene", again);
  return () => {
    model.off("change:scene", again);
    shown?.stop();
  };
}

export default { render };

/** Show the scene, if there is one; `before` is the state of the earlier view. */
function show(props: Props, before: Partial<State>): Showing | null {
  const bytes = props.model.get("scene");
  const scene = props.scene ?? (bytes?.byteLength ? decodeScene(bytes) : null);
  return scene && new Showing(props, scene, before);
}

/** A shown scene: sends changes of the user to the model, and changes of the model to the view. */
class Showing {
  readonly store: Store;
  readonly #model: Model;
  readonly #context: Context & { asker: Questions | null };
  readonly #view: View;
  readonly #heard: readonly [ModelEvent, ModelListener][];
  readonly #stopSending: () => void;
  #isSending = false;

  constructor({ model, el, audit, fix }: Props, scene: Scene, before: Partial<State>) {
    const pairs: [number, string][] = JSON.parse(model.get("decisions") || "[]");
    const decisions = pairs.map(([row, label]) => ({
      rows: Uint32Array.of(row),
      label,
    }));
    const first = { decisions, ...before };
    const refit = (labels: Labels) =>
      model.send?.({ kind: "refit", decisions: [...labels] });
    this.store = new Store({ ...arranged(first, scene), ...received(model, scene) });
    this.#model = model;
    this.#context = {
      scene,
      store: this.store,
      asker: model.get("can_ask") && model.send ? new Questions(model) : null,
      measure: model.send ? () => model.send?.({ kind: "measure" }) : null,
      refit: model.get("can_refit") ? refit : null,
      audit,
      fix,
    };
    this.#view = new View(el, this.#context, model.get("height") ?? 0);
    const form = () => this.#form();
    const judge = () => this.#judge();
    this.#heard = [
      ...SHARED.map((name) => [`change:${name}`, () => this.#hear()] as const),
      ["change:forming", form],
      ["change:forming_words", form],
      ["change:can_measure", judge],
      ["change:measuring", judge],
      ["msg:custom", (message) => void this.#answer(message)],
    ] as [ModelEvent, ModelListener][];
    for (const [name, callback] of this.#heard) {
      model.on(name, callback);
    }
    this.#stopSending = this.store.on((state) => this.#send(state));
    form();
    judge();
  }

  stop(): void {
    for (const [name, callback] of this.#heard) {
      this.#model.off(name, callback);
    }
    this.#stopSending();
    this.#context.asker?.destroy();
    this.#view.destroy();
  }

  #send(state: State): void {
    const now = sent(state);
    const news = SENT.filter((name) => !isSame(this.#model.get(name), now[name]));
    this.#isSending = true;
    try {
      for (const name of news) {
        this.#model.set(name, now[name]);
      }
    } finally {
      this.#isSending = false;
    }
    if (news.length > 0) {
      this.#model.save_changes();
    }
  }

  #hear(): void {
    // The model has only part of the changes yet; reading it would undo the other changes.
    if (!this.#isSending) {
      const news = received(this.#model, this.#context.scene);
      this.store.set(changes(this.store.state, news));
    }
  }

  #form(): void {
    const positions = new Float32Array(copied(this.#model.get("forming")));
    const fits = positions.length === 2 * this.#context.scene.n_points;
    this.#view.form(fits ? positions : null, this.#model.get("forming_words") ?? "");
  }

  #judge(): void {
    const isPossible = this.#model.get("can_measure") ?? false;
    this.#view.judging({ isPossible, words: this.#model.get("measuring") ?? "" });
  }

  /** Send the requested picture, or the reason why it cannot be made. */
  async #answer(message: unknown): Promise<void> {
    const { kind, number } = message as { kind?: string; number?: number };
    if (kind !== "picture") {
      return;
    }
    try {
      const picture = await png(this.#view, this.#context);
      this.#model.send?.({ kind, number }, undefined, [await picture.arrayBuffer()]);
    } catch (error) {
      const words = notSaved(error);
      this.#view.tell(words);
      this.#model.send?.({ kind: "refused", number, words });
    }
  }
}

/** The part of the state that remains when another scene is shown. */
function arranged(before: Partial<State>, scene: Scene): Partial<State> {
  const { tab, tool, regions, density, marks, decisions, turn } = {
    ...START,
    ...before,
  };
  const together = before.together ?? Boolean(scene.comparison);
  return { tab, tool, regions, density, marks, decisions, turn, together };
}

/** The shared part of the state, as the model stores it. */
function sent(state: State): Pick<Traits, (typeof SENT)[number]> {
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

/** The shared part of the state from the model, without invalid values. */
function received(model: Model, scene: Scene): Partial<State> {
  const n = scene.n_points;
  const object = model.get("object") ?? -1;
  const level = levelsOf(scene).find((one) => one === model.get("level"));
  const map = model.get("map") ?? 0;
  const [colorBy, theme] = [model.get("color_by"), model.get("theme")];
  return {
    selection: new Uint32Array(copied(model.get("selection"))).filter(
      (point) => point < n,
    ),
    object: object >= 0 && object < n ? object : null,
    ...(level ? { level } : {}),
    ...(map in scene.maps ? { map } : {}),
    ...(colorBy ? { colorBy } : {}),
    theme: theme === "light" || theme === "dark" ? theme : "auto",
  };
}

/** The values that really changed; a returned selection is another array with equal bytes. */
function changes(state: State, news: Partial<State>): Partial<State> {
  const { selection = state.selection, object, ...others } = news;
  const isNewMap = news.map !== undefined && news.map !== state.map;
  return chosen(state, isSelection(state, selection) ? state.selection : selection, {
    ...(object === state.object ? {} : { object }),
    ...(isNewMap ? { together: false } : {}),
    ...others,
  });
}

function isSame(a: unknown, b: unknown): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) {
    return Object.is(a, b);
  }
  const [x, y] = [bytesOf(a), bytesOf(b)];
  return x.length === y.length && x.every((byte, k) => byte === y[k]);
}

/** A copy of the bytes, because the view of a host may start at any byte. */
function copied(given: DataView | undefined): ArrayBuffer {
  return given ? bytesOf(given).slice().buffer : new ArrayBuffer(0);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
