/** Decisions of the user about labels. */

/** The class that the user gave to some points in one step. */
export interface Decision {
  readonly rows: Uint32Array;
  readonly label: string;
}

/** The labels of reviewed rows. */
export type Labels = ReadonlyMap<number, string>;

/** What has decisions, such as the state of the page, oldest first. */
export interface Reviewed {
  readonly decisions: readonly Decision[];
}

/** The last label that the user gave to each point, oldest first. */
export function decided({ decisions }: Reviewed): Labels {
  const labels = new Map<number, string>();
  for (const { rows, label } of decisions) {
    for (const row of rows) {
      labels.delete(row);
      labels.set(row, label);
    }
  }
  return labels;
}
