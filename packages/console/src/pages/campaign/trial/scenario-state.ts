import { isObject, read, readList, readText } from '../draft/edits.ts';
import { millisecondsOf } from './length-between.ts';

/** A name and its value, as typed. */
export interface NamedValue {
  name: string;
  value: string;
}

export interface ScenarioEvent {
  kind: string;
  /** Time since the beginning, as an ISO 8601 duration. */
  after: string;
  fields: readonly NamedValue[];
}

/** The form state of a scenario. */
export interface ScenarioState {
  player: 'made' | 'copy';
  copyOf: string;
  profile: readonly NamedValue[];
  /** Starting values of an invented player's traits. */
  traits: readonly NamedValue[];
  /** Types of consents that the player has not given. */
  refused: readonly string[];
  tags: readonly string[];
  excluded: boolean;
  blocked: boolean;
  events: readonly ScenarioEvent[];
  /** ISO 8601 duration of the whole scenario. */
  length: string;
}

/**
 * Returns a scenario that fits the entry of a campaign. Its event meets those conditions that require a field to equal
 * a value.
 */
export function firstScenario(document: unknown): ScenarioState {
  const kind = readText(document, ['entry', 'event']);
  return {
    player: 'made',
    copyOf: '',
    profile: [{ name: 'first_name', value: 'Ann' }],
    traits: [],
    refused: [],
    tags: [],
    excluded: false,
    blocked: false,
    events: kind === '' ? [] : [{ kind, after: 'PT0S', fields: equalsIn(read(document, ['entry', 'where'])) }],
    length: 'P7D',
  };
}

/** Returns the values that a rule requires fields to equal, if all of its conditions must hold. */
function equalsIn(rule: unknown): NamedValue[] {
  if (!isObject(rule) || rule.combinator !== 'and' || rule.not === true) return [];
  return readList(rule, ['rules']).flatMap((condition) => {
    if (!isObject(condition)) return [];
    if ('rules' in condition) return equalsIn(condition);
    const isEqual = condition.operator === '=' || condition.operator === '>=';
    return isEqual ? [{ name: String(condition.field), value: String(condition.value) }] : [];
  });
}

/** Returns the body of the call that tries a document. @param at the time at which the scenario begins */
export function scenarioCall(state: ScenarioState, document: unknown, at: Date) {
  const { player, copyOf, profile, traits, refused, tags, excluded, blocked, events, length } = state;
  const moment = (after: string) => new Date(at.getTime() + millisecondsOf(after)).toISOString();
  return {
    campaign: document,
    player: {
      ...(player === 'copy' && { copy_of: copyOf }),
      ...(profile.length > 0 && { profile: valuesOf(profile) }),
      ...(player === 'made' && traits.length > 0 && { traits: valuesOf(traits) }),
      ...(refused.length > 0 && { consents: Object.fromEntries(refused.map((type) => [type, false])) }),
      ...(tags.length > 0 && { tags: [...tags] }),
      ...(excluded && { excluded }),
      ...(blocked && { blocked }),
    },
    ...(events.length > 0 && {
      events: events.map(({ kind, after, fields }) => ({ kind, at: moment(after), body: valuesOf(fields) })),
    }),
    ...(isObject(read(document, ['entry'])) && read(document, ['entry', 'api']) === true && { enter: {} }),
    until: moment(length),
  };
}

/**
 * Converts texts to numbers, true or false if they are valid JSON of these types. `data.level` is the field `level` of
 * `data`.
 */
function valuesOf(named: readonly NamedValue[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, value } of named) {
    if (name === '') continue;
    const [outer = '', ...inner] = name.split('.');
    if (inner.length === 0) values[outer] = typedValue(value);
    else values[outer] = { ...(values[outer] as object | undefined), [inner.join('.')]: typedValue(value) };
  }
  return values;
}

function typedValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,8})?$/.test(text) ? Number(text) : text;
}
