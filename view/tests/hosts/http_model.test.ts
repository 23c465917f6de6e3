import { expect, test, vi } from "vitest";
import { HttpModel } from "../../src/hosts/model";

const explain = () => Promise.resolve({});

test("decisions go to the server that can fit again, as labels by rows", () => {
  const refit = vi.fn();
  const model = new HttpModel({}, { explain, refit });
  expect(model.get("can_refit")).toBe(true);
  model.send({ kind: "refit", decisions: [[4, "oak"]] });
  expect(refit.mock.calls).toEqual([[new Map([[4, "oak"]])]]);
});

test("a server that cannot is not asked", () => {
  expect(new HttpModel({}, { explain }).get("can_refit")).toBe(false);
});
