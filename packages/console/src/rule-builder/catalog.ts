/** A field as `GET rule-fields` lists it, or a field of a fact. */
export interface CatalogField {
  readonly field: string;
  readonly kind: string;
  readonly title: string;
  readonly unit: string | null;
  readonly operators: readonly string[];
  readonly values: readonly string[];
  readonly sample?: unknown;
  readonly group?: string;
  readonly meaning?: string | null;
  readonly windows?: 'every' | 'favorite' | null;
  readonly fields?: readonly CatalogField[] | null;
}

const windowed = /^(trait\..+?)_(today|prev_\d{1,3}d|\d{1,3}[hd])$/;

const windowsOf = {
  every: ['today', '1h', '24h', '7d', '14d', '30d', '60d', '90d', '180d', '365d', 'prev_7d', 'prev_30d'],
  favorite: ['30d', '90d'],
} as const;

/** A field of a rule, separated from its window. */
export interface NamedField {
  /**
   * The field in the catalog. Undefined if the catalog does not list it. For example, it does not list the groups of a
   * breakdown.
   */
  field: CatalogField | undefined;
  /** The name without the window. */
  name: string;
  /** '' means the whole lifetime of the player. */
  window: string;
}

/**
 * Splits the name of a field. trait.deposit_count_7d is deposit_count with the window 7d, because deposit_count has
 * windows.
 */
export function namedField(fields: readonly CatalogField[], name: string): NamedField {
  const [, base = '', window = ''] = windowed.exec(name) ?? [];
  const ofBase = fields.find(({ field, windows }) => field === base && windows);
  if (ofBase) return { field: ofBase, name: base, window };
  return { field: fields.find(({ field }) => field === name), name, window: '' };
}

/** Returns the windows to offer for a field, including its current window. */
export function offeredWindows({ field, window }: NamedField): readonly string[] {
  const windows: readonly string[] = field?.windows ? windowsOf[field.windows] : [];
  return windows.includes(window) || window === '' ? windows : [...windows, window];
}

export const withWindow = (name: string, window: string) => (window === '' ? name : `${name}_${window}`);

/** Returns what `segment.<code>` or `tag.<tag>` is about; undefined for other fields. The catalog does not list them. */
export function membershipOf(name: string): { list: 'segment' | 'tag'; code: string } | undefined {
  const [, list, code] = /^(segment|tag)\.(.+)$/.exec(name) ?? [];
  return code === undefined ? undefined : { list: list as 'segment' | 'tag', code };
}

/**
 * Returns a field for a name that the catalog does not list. It is a segment, a tag, or a count or a sum of one group of a
 * breakdown.
 */
export function unlisted(name: string): CatalogField {
  const isMembership = membershipOf(name) !== undefined;
  const operators = isMembership
    ? ['=', '!=']
    : ['=', '!=', '<', '<=', '>', '>=', 'between', 'notBetween', 'in', 'notIn', 'null', 'notNull'];
  return {
    field: name,
    kind: isMembership ? 'flag' : 'number',
    title: name,
    unit: null,
    operators,
    values: [],
    sample: isMembership ? true : 1,
  };
}

/** Returns the fields by group, without windows. The user chooses a field first, then its window. */
export function offeredFields(fields: readonly CatalogField[]): { group: string; fields: CatalogField[] }[] {
  const groups = new Map<string, CatalogField[]>();
  for (const field of fields) {
    if (namedField(fields, field.field).window !== '') continue;
    const group = field.group ?? '';
    groups.set(group, [...(groups.get(group) ?? []), field]);
  }
  return [...groups].map(([group, ofGroup]) => ({ group, fields: ofGroup }));
}
