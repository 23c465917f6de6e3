/** A saved model to picture: a file, or one that was loaded before. */

import { counted } from "../../scene/words/format";
import { html } from "../../ui/elements";
import { api, Refusal, type SavedModel } from "../api";
import { actionButton, complain, waited } from "../page_parts";

export class ModelChoice {
  readonly el = html("div", { class: "ls-app-model" });
  readonly #words = html("p", { class: "ls-app-quiet", role: "status" });
  readonly #earlier = html("select", { onchange: () => this.#chosen() });
  readonly #delete = actionButton("Delete", () => this.#remove());
  #models: readonly SavedModel[] = [];

  /** `chosen` is the id of the model to begin with, if it is still there. */
  constructor(chosen = "") {
    const file = html("input", { type: "file", accept: ".labelscape" });
    const field: HTMLElement = html("label", {}, "Model file ", file);
    file.addEventListener("change", () => {
      const [given] = file.files ?? [];
      if (given) {
        void waited(field, async () => {
          const model = await api.uploadModel(given);
          this.#show([model, ...this.#models], model.id);
        });
      }
    });
    const earlier = html("label", {}, "or one of before ", this.#earlier);
    this.el.append(field, earlier, this.#delete, this.#words);
    void waited(earlier, async () => this.#show(await api.models(), chosen));
  }

  /** The id of the model that was chosen. */
  get id(): string {
    if (this.#earlier.value === "") {
      throw new Refusal("Choose the file of the model first.");
    }
    return this.#earlier.value;
  }

  #show(models: readonly SavedModel[], chosen: string): void {
    this.#models = models;
    this.#earlier.replaceChildren(
      html("option", { value: "" }, models.length ? "choose …" : "there is none"),
      ...models.map(({ id, name }) => html("option", { value: id }, name)),
    );
    this.#earlier.value = models.some(({ id }) => id === chosen) ? chosen : "";
    this.#chosen();
  }

  async #remove(): Promise<void> {
    const model = this.#model;
    if (model && window.confirm(`Delete the model "${model.name}"?`)) {
      await api.removeModel(model.id);
      this.#show(
        this.#models.filter((one) => one !== model),
        "",
      );
    }
  }

  get #model(): SavedModel | undefined {
    return this.#models.find(({ id }) => id === this.#earlier.value);
  }

  #chosen(): void {
    const model = this.#model;
    this.#delete.hidden = model === undefined;
    complain(this.#delete, "");
    this.#words.textContent = model
      ? `${model.kind} of ${counted(model.n_features, "feature")}. Classes: ${model.classes.join(", ")}.`
      : "A file that labelscape.save wrote. The table needs the features that the model was fitted to.";
  }
}
