import { describe, expect, it, vi } from "vitest";
import { FrozenModel } from "../../src/hosts/model";

describe("the model of an exported page", () => {
  it("tells of changes, and of nothing else", () => {
    const model = new FrozenModel({ level: "data" });
    const told = vi.fn();
    model.on("change:level", told);
    model.set("level", "data");
    model.set("object", 3);
    expect(told).not.toHaveBeenCalled();
    model.set("level", "object");
    model.save_changes();
    expect(told).toHaveBeenCalledOnce();
    expect(model.get("level")).toBe("object");
  });

  it("forgets who no longer listens", () => {
    const model = new FrozenModel({});
    const [first, second] = [vi.fn(), vi.fn()];
    model.on("change:map", first);
    model.on("change:map", second);
    model.off("change:map", first);
    model.set("map", 1);
    model.off("change:map");
    model.set("map", 2);
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
  });

  it("has nobody to ask", () => {
    expect("send" in new FrozenModel({})).toBe(false);
  });
});
