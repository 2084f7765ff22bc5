/** A code in normal form. An unknown one is kept and flagged, never refused (decisions.md 1, "Codes"). */
export interface Code {
  code: string;
  known: boolean;
}
