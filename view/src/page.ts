/** An exported page: unpacks its scene and shows it, or shows why this is not possible. */

import { FrozenModel, unpack } from "./hosts/model";
import { render } from "./index";
import { SCENE } from "./messages";

async function start(el: HTMLElement): Promise<void> {
  const data = document.getElementById("scene");
  if (!data?.textContent) {
    throw new Error(SCENE.none);
  }
  const scene = await unpack(data.textContent);
  data.remove(); // free the memory of its large text
  const model = new FrozenModel({ scene: new DataView(scene) });
  render({ model, el });
}

function sayWhy(el: HTMLElement, error: unknown): void {
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.style.cssText =
    "font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem";
  words.textContent = SCENE.failed(error instanceof Error ? error.message : `${error}`);
  el.replaceChildren(words);
}

const el = document.getElementById("labelscape") ?? document.body;
start(el).catch((error) => sayWhy(el, error));
