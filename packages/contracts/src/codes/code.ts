/** A normalized code. An unknown code is kept and flagged, never refused (docs/reference/decisions.md 1, "Codes"). */
export interface Code {
  code: string;
  known: boolean;
}
