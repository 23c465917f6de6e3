/** Traits that hosts share with the view; see scripts/wire_types.py. */

export interface Traits {
  readonly scene: DataView;
  readonly selection: DataView;
  readonly object: number;
  readonly level: string;
  readonly map: number;
  readonly color_by: string;
  readonly theme: string;
  readonly height: number;
  readonly forming: DataView;
  readonly forming_words: string;
  readonly can_ask: boolean;
  readonly can_measure: boolean;
  readonly measuring: string;
  readonly decisions: string;
  readonly can_refit: boolean;
}
