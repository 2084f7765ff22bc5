/** One setting of a form. The page provides its label by the path. */
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
  /** The values of a choice. */
  values?: readonly string[];
  min?: number;
  max?: number;
  /** True if the setting is required. */
  required?: boolean;
  /** True if the setting is read-only, because it can no longer be changed, or is changed elsewhere. */
  fixed?: boolean;
  /** The fields of each row. */
  columns?: readonly Omit<FieldSpec, 'columns'>[];
  /** The setting is shown only if another setting has this value. */
  when?: { path: string; is: unknown };
}

/** The label of each field, and a description if the label is not sufficient. */
export type FieldWords = Readonly<Record<string, readonly [label: string, hint?: string]>>;
/** Labels of choices, by value. */
export type ValueWords = Readonly<Record<string, string>>;

/** What the input of every kind gets. */
export interface InputProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  readOnly: boolean;
  value: unknown;
  onChange(value: unknown): void;
}
