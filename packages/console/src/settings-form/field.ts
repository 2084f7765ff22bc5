/** One setting of a form. Its words stand in the text of the page, by the path. */
export interface FieldSpec {
  path: string;
  kind:
    | 'text'
    | 'secret'
    | 'number'
    | 'switch'
    | 'choice'
    | 'lines'
    | 'area'
    | 'json'
    | 'zone'
    | 'time'
    | 'color'
    | 'zones'
    | 'rows';
  /** Of a choice. */
  values?: readonly string[];
  min?: number;
  max?: number;
  /** It must have a value. */
  required?: boolean;
  /** It cannot be changed any more, or not here. */
  fixed?: boolean;
  /** Of rows: what each entry has. */
  columns?: readonly Omit<FieldSpec, 'columns'>[];
  /** Shown only with this value elsewhere in the form. */
  when?: { path: string; is: unknown };
}

/** What a field is called, and what it does where the name does not say it. */
export type FieldWords = Readonly<Record<string, readonly [label: string, hint?: string]>>;
/** Names of the values of choices, by value. */
export type ValueWords = Readonly<Record<string, string>>;
