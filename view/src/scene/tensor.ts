/** What arrays and texts of a scene are once they are decoded. */

export type Numbers =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** An array with its shape, C order. */
export interface Tensor<T extends Numbers = Numbers> {
  readonly data: T;
  readonly shape: readonly number[];
}

/** Many texts, decoded one at a time: a million ids are never all strings at once. */
export interface Strings {
  readonly length: number;
  at(index: number): string;
}
