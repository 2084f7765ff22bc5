/** A code in normal form. An unknown one is kept and flagged, never refused (decisions.md 1, "Codes"). */
export interface Code {
  code: string;
  known: boolean;
}

export function codeOf(code: string, list: ReadonlySet<string>): Code {
  return { code, known: list.has(code) };
}
