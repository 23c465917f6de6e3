import { expect, test } from "vitest";
import { LegendPanel } from "../../src/panels/legend";
import { madeScene } from "../made_scene";
import { mounted } from "../mounted";

test.each(["classes", "object"] as const)(
  "on the level %s colours are of classes, and so are heading and counts",
  (level) => {
    const scene = madeScene();
    const { el, store } = mounted(
      LegendPanel,
      { ...scene, predictions: scene.labels },
      { colorBy: "errors" },
    );
    const none = el.querySelector<HTMLElement>("[role=status]");
    const told = () => [
      el.querySelector("header h2")?.textContent,
      el.querySelector(".ls-count")?.textContent,
      none?.hidden,
    ];
    expect(told()).toEqual(["Errors", "0", false]);
    store.set({ level });
    expect(told()).toEqual(["Classes", "20", true]);
    store.set({ level: "data" });
    expect(told()).toEqual(["Errors", "0", false]);
  },
);
