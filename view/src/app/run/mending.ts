/** What findings about a table propose, done: another run of the table after a remedy. */

import type { Context } from "../../context";
import { api, type Order, type Run } from "../api";

type Settings = Run["settings"];

/** What another run can do about a table: audit it, or read it after a remedy. */
export function mending(
  run: Run,
  wait: (begin: () => Promise<Run>) => Promise<void>,
): Pick<Context, "audit" | "mend"> {
  const { settings } = run;
  if (settings.placed_on !== null || settings.refit_of !== null) {
    return {}; // decisions are about the rows of the table as they are
  }
  const audit = () => void wait(() => api.start({ ...orderOf(settings), audit: true }));
  const mend = (remedy: readonly string[]) => void wait(() => begin(settings, remedy));
  // A data set that comes with Labelscape is no file.
  return settings.label === null ? { audit } : { audit, mend };
}

async function begin(settings: Settings, remedy: readonly string[]): Promise<Run> {
  const [parameter, ...values] = remedy;
  if (parameter === "missing_values") {
    const { reading } = settings;
    const missing_values = [...new Set([...reading.missing_values, ...values])];
    await api.readAgain(settings.table, { ...reading, missing_values });
  }
  return api.start({ ...orderOf(settings), ...changed(settings, parameter, values) });
}

/** What a remedy changes of an order. */
export function changed(
  { drop, keep }: Settings,
  parameter: string | undefined,
  values: readonly string[],
): Partial<Order> {
  switch (parameter) {
    case "drop":
      return {
        drop: [...new Set([...drop, ...values])],
        keep: keep.filter((name) => !values.includes(name)),
      };
    case "copies":
      return { copies: "drop" };
    case "merge_classes":
      return { merge_classes: "case" };
    case "group":
      return { group_column: values[0] ?? null };
    default:
      return {};
  }
}

/** The order that a run came from, without its name. */
function orderOf(settings: Settings): Order {
  const {
    reading,
    model_name,
    refit_of,
    decisions,
    placed_on,
    placed_on_name,
    ...order
  } = settings;
  return { ...order, name: "" };
}
