import { isObject, type Kind, kindIn, read, readText, stepsIn } from '../campaign/draft/edits.ts';
import { isEqual } from '../campaign/versions/difference.ts';

/** One term of a bonus, before and after a change. A missing term is undefined. */
export interface TermChange {
  term: Term;
  before: unknown;
  after: unknown;
}

/** How a step that gives a bonus or money differs between two versions of a campaign. */
export interface RewardChange {
  step: string;
  kind: Kind;
  how: 'added' | 'removed' | 'changed' | 'unchanged';
  terms: readonly TermChange[];
}

const terms = ['bonus_code', 'amount', 'currency', 'wagering', 'expires_in', 'products'] as const;
export type Term = (typeof terms)[number];

const rewardKinds: readonly (Kind | undefined)[] = ['credit', 'credit_funds', 'offer'];

/**
 * Returns every step that gives a bonus or money in either version, with its terms. Steps are compared by their id.
 * Steps of the later version come first, in their order. Pure.
 */
export function rewardChanges(before: unknown, after: unknown): RewardChange[] {
  const [old, now] = [rewardsIn(before), rewardsIn(after)];
  return [...new Set([...now.keys(), ...old.keys()])].map((step) => {
    const [was, is] = [old.get(step), now.get(step)];
    const how = was === undefined ? 'added' : is === undefined ? 'removed' : isEqual(was, is) ? 'unchanged' : 'changed';
    return {
      step,
      kind: (is ?? was)?.kind ?? 'credit',
      how,
      terms: terms
        .map((term) => ({ term, before: read(was?.terms, [term]), after: read(is?.terms, [term]) }))
        .filter((one) => one.before !== undefined || one.after !== undefined),
    };
  });
}

function rewardsIn(document: unknown): Map<string, { kind: Kind; terms: unknown }> {
  return new Map(
    stepsIn(document).flatMap(({ id, step }) => {
      const kind = kindIn(step);
      if (kind === undefined || !rewardKinds.includes(kind) || !isObject(step)) return [];
      return [[id, { kind, terms: step[kind] }] as const];
    }),
  );
}

/**
 * Returns the maximum cost of one run in the base currency: the sum of all bonuses in the campaign. Null if the cost of a
 * bonus is unknown: its code has no cost in the budget, or its amount is in another currency. Pure.
 */
export function costPerRun(
  document: unknown,
  baseCurrency: string,
  bonusValues: Readonly<Record<string, string>>,
): string | null {
  let sum = 0n;
  for (const { kind, terms } of rewardsIn(document).values()) {
    const isFunds = kind === 'credit_funds';
    if (isFunds && readText(terms, ['currency']).toUpperCase() !== baseCurrency) return null;
    const code = readText(terms, ['bonus_code']);
    const cost = isFunds ? readText(terms, ['amount']) : Object.hasOwn(bonusValues, code) ? bonusValues[code] : '';
    const units = unitsOf(cost ?? '');
    if (units === undefined) return null;
    sum += units;
  }
  return textOf(sum);
}

const places = 8;

/** Converts decimal text to units of 10^-8. A number would round it. */
function unitsOf(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
}

function textOf(units: bigint): string {
  const digits = String(units).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}
