/** The API of the app as functions. The types of its responses are in `api_types.ts`. */

import type { Labels } from "../scene/decisions";
import type { Answer } from "../scene/scene_types";
import type * as written from "./api_types";
import type {
  ColumnInfo as Column,
  DatasetInfo as Dataset,
  MethodCard as Method,
  Run,
  LoadedModel as SavedModel,
  LoadedTable as Table,
} from "./api_types";

import { APP } from "./messages";

export type { Parameter, RunProgress as Progress, RunResult } from "./api_types";
export type { Column, Dataset, Method, Run, SavedModel, Table };
/** How a table is read. Missing fields have their defaults, or are detected. */
export type Reading = Partial<written.Reading>;
export type Order = Omit<written.Order, "reading"> & { readonly reading: Reading };
export type Role = Column["role"];
export type Value = Order["parameters"][string];

export type ResultFile = "scene" | "page" | "positions" | "placed" | "model" | "code";

const JSON_TYPE = { "content-type": "application/json" };

/** Why the server rejected a request: a message, and the invalid parameter, if any. */
export class Refusal extends Error {
  readonly parameter: string | null;

  constructor(words: string, parameter: string | null = null) {
    super(words);
    this.parameter = parameter;
  }
}

export const api = {
  datasets: () => request<Dataset[]>("GET", "datasets"),
  methods: () => request<Method[]>("GET", "methods"),
  tables: () => request<Table[]>("GET", "tables"),
  table: (id: string) => request<Table>("GET", `tables/${id}`),
  readAgain: (id: string, reading: Reading) =>
    send<Table>("PATCH", `tables/${id}`, reading),
  embed: (name: string) => send<Table>("POST", "datasets", { name }),
  upload: (file: File, reading?: Reading) =>
    sendFile<Table>(
      "tables",
      file,
      reading ? { reading: JSON.stringify(reading) } : {},
    ),
  uploadModel: (file: File) => sendFile<SavedModel>("models", file),
  models: () => request<SavedModel[]>("GET", "models"),
  runs: () => request<Run[]>("GET", "runs"),
  run: (id: string) => request<Run>("GET", `runs/${id}`),
  start: (order: Order) => send<Run>("POST", "runs", order),
  place: (id: string, table: string) =>
    send<Run>("POST", `runs/${id}/place`, { table }),
  rename: (id: string, name: string) => send<Run>("PATCH", `runs/${id}`, { name }),
  refit: (id: string, labels: Labels) =>
    send<Run>("POST", `runs/${id}/refit`, { decisions: Object.fromEntries(labels) }),
  decisions: async (id: string) =>
    (await request<written.KeptDecisions>("GET", `runs/${id}/decisions`)).decisions,
  decide: (id: string, decisions: written.KeptDecisions["decisions"]) =>
    send<null>("PUT", `runs/${id}/decisions`, { decisions }),
  cancel: (id: string) => request<Run>("POST", `runs/${id}/cancel`),
  remove: (id: string) => request<null>("DELETE", `runs/${id}`),
  removeTable: (id: string) => request<null>("DELETE", `tables/${id}`),
  removeModel: (id: string) => request<null>("DELETE", `models/${id}`),
  explain: (id: string, object: number) =>
    send<Answer>("POST", `runs/${id}/explain`, { object }),
  bytes: async (path: string) => (await answerOf("GET", path)).arrayBuffer(),
  watch: (id: string) => new EventSource(`/api/runs/${id}/events`),
  fileUrl: (id: string, file: ResultFile) => `/api/runs/${id}/files/${file}`,
};

async function request<T>(method: string, path: string): Promise<T> {
  return content<T>(await answerOf(method, path));
}

async function send<T>(method: string, path: string, body: unknown): Promise<T> {
  return content<T>(await answerOf(method, path, JSON.stringify(body), JSON_TYPE));
}

function content<T>(answer: Response): Promise<T> | T {
  return answer.status === 204 ? (null as T) : answer.json();
}

async function sendFile<T>(
  path: string,
  file: File,
  more: Record<string, string> = {},
): Promise<T> {
  const query = Object.entries({ name: file.name, ...more })
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join("&");
  return (await answerOf("POST", `${path}?${query}`, file)).json();
}

async function answerOf(
  method: string,
  path: string,
  body?: BodyInit,
  headers?: Record<string, string>,
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  } catch {
    throw new Refusal(APP.silent);
  }
  if (!answer.ok) {
    throw await refusal(answer);
  }
  return answer;
}

async function refusal(answer: Response): Promise<Refusal> {
  const text = await answer.text();
  const fallback = APP.answered(answer.status);
  try {
    const { detail, parameter } = JSON.parse(text);
    return new Refusal(typeof detail === "string" ? detail : fallback, parameter);
  } catch {
    return new Refusal(text || fallback);
  }
}
