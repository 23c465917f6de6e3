import { afterEach, expect, test, vi } from "vitest";
import { api, Refusal } from "../../src/app/api";
import { APP } from "../../src/app/messages";

afterEach(() => vi.unstubAllGlobals());

function answering(body: BodyInit | null, status: number) {
  const fetched = vi.fn(async () => new Response(body, { status }));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

test("a refusal is the server's sentence", async () => {
  answering(JSON.stringify({ detail: "There is no run 'x'." }), 404);
  await expect(api.run("x")).rejects.toEqual(new Refusal("There is no run 'x'."));
});

test("a refusal tells which parameter it is about", async () => {
  const body = {
    detail: "TSNE: perplexity must be a number.",
    parameter: "perplexity",
  };
  answering(JSON.stringify(body), 422);
  await expect(api.run("x")).rejects.toMatchObject({ parameter: "perplexity" });
  answering(JSON.stringify({ ...body, parameter: null }), 422);
  await expect(api.run("x")).rejects.toMatchObject({ parameter: null });
});

test("a refusal in plain words is one, too", async () => {
  answering("Open the link that was printed.", 401);
  await expect(api.runs()).rejects.toThrow("Open the link that was printed.");
});

test("an answer without words is told by its number", async () => {
  answering(JSON.stringify({ detail: [{ msg: "no" }] }), 422);
  await expect(api.runs()).rejects.toThrow("The app answered with status 422.");
  answering("", 500);
  await expect(api.runs()).rejects.toThrow("The app answered with status 500.");
});

test("silence has a sentence of its own", async () => {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Promise.reject(new TypeError("failed"))),
  );
  await expect(api.runs()).rejects.toThrow(APP.silent);
});

test("what is deleted answers nothing", async () => {
  answering(null, 204);
  expect(await api.remove("a")).toBe(null);
});

test("a file goes with its name, however it is written", async () => {
  const fetched = answering(JSON.stringify({ id: "a" }), 201);
  await api.upload(new File(["a,b"], "ärger & mehr?.csv"));
  expect(fetched).toHaveBeenCalledWith(
    "/api/tables?name=%C3%A4rger%20%26%20mehr%3F.csv",
    expect.objectContaining({ method: "POST" }),
  );
});
