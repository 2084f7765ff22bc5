/** A row of the form: the cost of one bonus code in base currency, as it was typed. */
export interface ValueRow {
  /** Identifies the row while its code is typed. */
  key: number;
  code: string;
  value: string;
}

export const valueRows = (values: Readonly<Record<string, string>>): ValueRow[] =>
  Object.entries(values).map(([code, value], key) => ({ key, code, value }));

/** Returns the values of complete rows, for the API. Pure. */
export const filledValues = (rows: readonly ValueRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ code, value }) => (code.trim() === '' || value === '' ? [] : [[code.trim(), value]])),
  );

export const nextKey = (rows: readonly ValueRow[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1;
