/** The results of look-ups whose differences are shown. */
export interface LookedUp {
  profile: Readonly<Record<string, unknown>> | null;
  consents: readonly { type: string; opted_in: boolean | null }[];
  blocks: readonly { type: string; active: boolean | null; note?: string | null }[];
}

export interface Difference {
  /** Name of the profile field, or the type of a consent or block. */
  field: string;
  part: 'details' | 'consents' | 'blocks';
  before: string;
  after: string;
}

/** Profile fields that state the source and time of the data. They differ in every answer, so their differences are not shown. */
const ofAnswer: ReadonlySet<string> = new Set(['as_of', 'source', 'older', 'in_doubt']);

/** Returns what a look-up changed. Pure. */
export function differencesOf(before: LookedUp, after: LookedUp): Difference[] {
  return [
    ...changes('details', textsOf(before.profile), textsOf(after.profile)),
    ...changes('consents', statesOf(before.consents), statesOf(after.consents)),
    ...changes('blocks', statesOf(before.blocks), statesOf(after.blocks)),
  ];
}

function changes(
  part: Difference['part'],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Difference[] {
  const fields = new Set([...before.keys(), ...after.keys()]);
  return [...fields].flatMap((field) => {
    const [was, is] = [before.get(field) ?? '–', after.get(field) ?? '–'];
    return was === is ? [] : [{ part, field, before: was, after: is }];
  });
}

function textsOf(profile: LookedUp['profile']): Map<string, string> {
  const fields = Object.entries(profile ?? {}).filter(([name]) => !ofAnswer.has(name));
  return new Map(fields.map(([name, value]) => [name, textOf(value)]));
}

function statesOf(
  said: readonly { type: string; opted_in?: boolean | null; active?: boolean | null }[],
): Map<string, string> {
  return new Map(said.map(({ type, opted_in, active }) => [type, textOf(opted_in ?? active ?? null)]));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value === true) return '✓';
  if (value === false) return '✗';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
