/** A document while it is changed: any JSON, since a draft may have mistakes. */
export type Draft = Readonly<Record<string, unknown>>;
/** Where something stands in a document, such as `['steps', 0, 'send']`. */
export type Place = readonly (string | number)[];

export const kinds = [
  ...['send', 'wait', 'branch', 'split', 'credit', 'credit_funds', 'offer'],
  ...['tag', 'untag', 'webhook', 'call_list', 'exit'],
] as const;

/** What a new step of each kind begins with. */
const beginnings: Readonly<Record<string, unknown>> = {
  send: { channel: 'site', template: '' },
  wait: { for: 'PT1H' },
  branch: [{ when: { combinator: 'and', rules: [] }, steps: [] }, { otherwise: [] }],
  split: [
    { name: 'control', share: 10, control: true },
    { name: 'a', share: 90, steps: [] },
  ],
  credit: { bonus_code: '' },
  credit_funds: { bonus_code: '', amount: '10.00', currency: 'EUR' },
  offer: { bonus_code: '', expires_in: 'P7D' },
  tag: 'new_tag',
  untag: 'new_tag',
  webhook: { template: '' },
  call_list: { template: '' },
  exit: {},
};

/** A campaign that nothing is known of but its name. */
export const emptyCampaign = (code: string, name: string): Draft => ({
  code,
  name,
  entry: { event: 'payment' },
  steps: [],
});

export function kindIn(step: unknown): string | undefined {
  return kinds.find((kind) => typeof step === 'object' && step !== null && kind in step);
}

export function read(draft: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (within, key) => (typeof within === 'object' && within !== null ? (within as Draft)[key] : undefined),
    draft,
  );
}

/** The document with another value there; without a value the field is left out. */
export function write(draft: Draft, place: Place, value: unknown): Draft {
  return written(draft, place, value) as Draft;
}

function written(within: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value;
  const inner = rest.length === 0 ? value : written(read(within, [key]), rest, value);
  if (Array.isArray(within)) return within.map((one, at) => (at === key ? inner : one));
  const { [key]: _, ...others } = (within ?? {}) as Record<string | number, unknown>;
  if (inner === undefined) return others;
  return { ...(within as object), [key]: inner };
}

const listAt = (draft: Draft, place: Place): readonly unknown[] => {
  const list = read(draft, place);
  return Array.isArray(list) ? list : [];
};

export function addStep(draft: Draft, list: Place, kind: string): Draft {
  const step = { id: freeId(kind, idsIn(draft)), [kind]: beginnings[kind] };
  return write(draft, list, [...listAt(draft, list), step]);
}

export function removeStep(draft: Draft, list: Place, at: number): Draft {
  return write(
    draft,
    list,
    listAt(draft, list).filter((_, place) => place !== at),
  );
}

/** Moves a step by one place; at the end of its list it stays. */
export function moveStep(draft: Draft, list: Place, at: number, by: 1 | -1): Draft {
  const steps = [...listAt(draft, list)];
  const to = at + by;
  if (to < 0 || to >= steps.length) return draft;
  [steps[at], steps[to]] = [steps[to], steps[at]];
  return write(draft, list, steps);
}

/** Puts a copy behind the step; it and all steps in it have ids of their own. */
export function duplicateStep(draft: Draft, list: Place, at: number): Draft {
  const taken = idsIn(draft);
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const copied = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
    if (kindIn(value) === undefined || typeof copied.id !== 'string') return copied;
    copied.id = freeId(copied.id, taken);
    taken.add(String(copied.id));
    return copied;
  };
  const steps = listAt(draft, list);
  return write(draft, list, [...steps.slice(0, at + 1), copy(steps[at]), ...steps.slice(at + 1)]);
}

function idsIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = 'id' in value && typeof value.id === 'string' ? [value.id] : [];
  return new Set([...own, ...Object.values(value).flatMap((one) => [...idsIn(one)])]);
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, '');
  let number = 2;
  while (taken.has(`${stem}_${number}`)) number += 1;
  return `${stem}_${number}`;
}
