/** A document that is being edited. It can be any JSON, because a draft may have errors. */
export type Draft = Readonly<Record<string, unknown>>;
/** A path in a document, such as `['steps', 0, 'send']`. */
export type Place = readonly (string | number)[];

/** The kinds of steps, in the order in which they are offered. */
export const kinds = [
  ...(['send', 'wait', 'branch', 'split'] as const),
  ...(['credit', 'credit_funds', 'offer'] as const),
  ...(['tag', 'untag', 'webhook', 'call_list', 'exit'] as const),
] as const;
export type Kind = (typeof kinds)[number];

export const emptyRule = { combinator: 'and', rules: [] } as const;

/** The initial content of a new step, by kind. */
const beginnings: Readonly<Record<Kind, unknown>> = {
  send: { channel: 'site', template: '' },
  wait: { for: 'PT1H' },
  branch: [{ when: emptyRule, steps: [] }, { otherwise: [] }],
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

/** Returns a new campaign without steps. Its entry is the event `payment` until the author changes it. */
export const emptyCampaign = (code: string, name: string): Draft => ({
  code,
  name,
  entry: { event: 'payment' },
  steps: [],
});

export const isObject = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function kindIn(step: unknown): Kind | undefined {
  return kinds.find((kind) => isObject(step) && kind in step);
}

export function read(draft: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (within, key) => (typeof within === 'object' && within !== null ? (within as Draft)[key] : undefined),
    draft,
  );
}

/** Returns a text in the document, or '' if there is none. */
export function readText(draft: unknown, place: Place): string {
  const value = read(draft, place);
  return value === undefined || value === null ? '' : String(value);
}

export function readList(draft: unknown, place: Place): readonly unknown[] {
  const value = read(draft, place);
  return Array.isArray(value) ? value : [];
}

export const pathOf = (place: Place) => `/${place.join('/')}`;

/** Returns the document with another value at the path. Undefined removes the field. */
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

/** The position of a step: the list that contains it, and its index. */
export interface StepPlace {
  list: Place;
  at: number;
}

export interface Made {
  draft: Draft;
  /** Id of the new step. */
  id: string;
}

/** @param at index in the list; by default, the step is added at the end */
export function addStep(draft: Draft, list: Place, kind: Kind, at?: number): Made {
  const id = freeId(kind, idsIn(draft));
  const steps = readList(draft, list);
  const step = { id, [kind]: beginnings[kind] };
  return { draft: write(draft, list, steps.toSpliced(at ?? steps.length, 0, step)), id };
}

export function removeStep(draft: Draft, { list, at }: StepPlace): Draft {
  return write(draft, list, readList(draft, list).toSpliced(at, 1));
}

/** Moves a step up or down in its list. The first step cannot move up, and the last one cannot move down. */
export function moveStep(draft: Draft, { list, at }: StepPlace, by: 1 | -1): Draft {
  const to = at + by;
  if (to < 0 || to >= readList(draft, list).length) return draft;
  return moveStepTo(draft, { list, at }, { list, at: by === 1 ? to + 1 : to });
}

/**
 * Moves a step to a position in any list of steps, even into or out of arms. If the list is inside the step itself,
 * nothing changes.
 */
export function moveStepTo(draft: Draft, from: StepPlace, to: StepPlace): Draft {
  if (isWithin(to.list, from)) return draft;
  const step = readList(draft, from.list)[from.at];
  // A hole replaces the step, so that all other paths stay valid until the step is inserted.
  const hole = {};
  const holed = write(draft, [...from.list, from.at], hole);
  const put = write(holed, to.list, readList(holed, to.list).toSpliced(to.at, 0, step));
  return withoutHole(put, hole) as Draft;
}

/** Returns whether a list is inside the arms of a step. */
export function isWithin(list: Place, step: StepPlace): boolean {
  const own = [...step.list, step.at];
  return own.every((key, place) => list[place] === key);
}

function withoutHole(value: unknown, hole: object): unknown {
  if (Array.isArray(value))
    return value.includes(hole) ? value.filter((one) => one !== hole) : value.map((one) => withoutHole(one, hole));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutHole(one, hole)]));
}

/** Inserts a copy after the step. The copy and all steps in it get new ids. */
export function duplicateStep(draft: Draft, { list, at }: StepPlace): Made {
  const taken = idsIn(draft);
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isObject(value)) return value;
    const copied = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
    if (kindIn(value) === undefined || typeof value.id !== 'string') return copied;
    const id = freeId(value.id, taken);
    taken.add(id);
    return { ...copied, id };
  };
  const steps = readList(draft, list);
  const copied = copy(steps[at]);
  return { draft: write(draft, list, steps.toSpliced(at + 1, 0, copied)), id: readText(copied, ['id']) };
}

/** Returns the lists of steps that a step contains, with their paths in the document. */
export function armsOf(step: unknown, place: Place): { arm: Draft; list: Place }[] {
  const kind = kindIn(step);
  if (kind !== 'branch' && kind !== 'split') return [];
  return readList(step, [kind]).map((arm, at) => {
    const held = isObject(arm) ? arm : {};
    return { arm: held, list: [...place, kind, at, 'otherwise' in held ? 'otherwise' : 'steps'] };
  });
}

/** Returns every step with its path, in reading order. */
export function stepsIn(draft: unknown, list: Place = ['steps']): (StepPlace & { id: string; step: unknown })[] {
  return readList(draft, list).flatMap((step, at) => [
    { list, at, id: readText(step, ['id']), step },
    ...armsOf(step, [...list, at]).flatMap(({ list: inner }) => stepsIn(draft, inner)),
  ]);
}

/** Returns the position of the step with an id, or undefined if there is none. */
export function findStep(draft: unknown, id: string): StepPlace | undefined {
  return stepsIn(draft).find((one) => one.id === id);
}

export function idsIn(draft: unknown): Set<string> {
  return new Set(stepsIn(draft).map(({ id }) => id));
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, '');
  let number = 2;
  while (taken.has(`${stem}_${number}`)) number += 1;
  return `${stem}_${number}`;
}
