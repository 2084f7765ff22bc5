import type { Field, FieldKind } from '@croupier/rules';
import {
  favoriteWindows,
  readWindow,
  type Trait,
  type TraitKind,
  type TraitSource,
  traitCatalog,
  type Unit,
  type Window,
  windowName,
} from '../../../derive/index.ts';
import type { FieldReading } from '../reading.ts';
import { activeBonusesReading } from './active-bonuses.ts';
import { biggestWinReading } from './biggest-win.ts';
import { birthReading } from './birth.ts';
import { favoriteReading } from './favorite.ts';
import { dayOfSql, sinceReading } from './since.ts';
import {
  balanceSql,
  cartSql,
  factSql,
  groupSql,
  isBreakdown,
  latestSql,
  messagesSql,
  paymentSql,
  reportSql,
} from './single.ts';
import { lifetimeReading, windowReading } from './totals.ts';
import { windowWords } from './window.ts';

/*
 * `trait.<name>`: every trait of derive's catalog with every window, and `trait.<name>.<group>` for one group of a breakdown. This file
 * lists no traits: every trait of that catalog is a field.
 */
const traits = new Map(traitCatalog.map((trait) => [trait.name, trait]));

export function traitReading(name: string, baseCurrency: string): FieldReading | undefined {
  const own = traits.get(name);
  if (own !== undefined) return isBreakdown(own) ? undefined : readingOf(own, undefined, baseCurrency);
  const group = /^(?<of>[a-z0-9_]+)\.(?<group>.+)$/s.exec(name)?.groups;
  if (group !== undefined) return groupReading(traits.get(group.of ?? ''), group.group ?? '', baseCurrency);
  const windowed = /^(?<of>[a-z0-9_]+?)_(?<window>prev_\d{1,3}d|\d{1,3}[hd]|today)$/.exec(name)?.groups;
  const trait = traits.get(windowed?.of ?? '');
  const window = readWindow(windowed?.window ?? '');
  if (trait === undefined || window === undefined || !hasWindow(trait, window)) return undefined;
  return readingOf(trait, window, baseCurrency);
}

function hasWindow(trait: Trait, window: Window): boolean {
  if (trait.windows === 'favorite')
    return favoriteWindows.some(({ count }) => windowName(window) === windowName({ unit: 'days', count }));
  return trait.windows === 'every';
}

function readingOf(trait: Trait, window: Window | undefined, baseCurrency: string): FieldReading {
  return { field: fieldOf(trait, window, baseCurrency), ...sourceOf(trait, window) };
}

function sourceOf({ name, source }: Trait, window: Window | undefined): Omit<FieldReading, 'field'> {
  switch (source.from) {
    case 'totals':
      return window ? windowReading(source.formula, window) : lifetimeReading(source.formula);
    case 'favorite':
      return favoriteReading(source, window);
    case 'since': {
      const { moment, unless } = source;
      const { sql, rowless }: Omit<FieldReading, 'field'> =
        moment.from === 'fact' ? { sql: factSql(moment) } : lifetimeReading(moment.formula);
      return sinceReading(`day of ${name}`, dayOfSql(unless ? withoutDeposit(sql, unless) : sql), rowless);
    }
    case 'birth':
      return birthReading(source.show);
    case 'fact':
      return { sql: factSql(source) };
    case 'report':
      return { sql: reportSql(source) };
    case 'balance':
      return { sql: balanceSql(source) };
    case 'latest':
      return { sql: latestSql(source) };
    case 'payment':
      return { sql: paymentSql(source) };
    case 'active_bonuses':
      return activeBonusesReading(source.show);
    case 'messages':
      return { sql: messagesSql(source) };
    case 'cart':
      return { sql: cartSql(source) };
    case 'biggest_win':
      return biggestWinReading(source.show);
    case 'groups':
    case 'named_events':
    case 'cart_items':
    case 'messages_by_campaign':
      throw new Error(`${name} is read group by group`);
    default:
      return source satisfies never;
  }
}

/** The moment, or null for players who have deposited according to the platform's count or the operator's report. */
function withoutDeposit(moment: FieldReading['sql'], { formula, report }: Deposited): FieldReading['sql'] {
  const counted = lifetimeReading(formula).sql;
  const reported = reportSql({ from: 'report', report });
  return (joins) =>
    `(case when ${counted(joins)} <= 0 and coalesce(${reported(joins)}, 0) <= 0 then ${moment(joins)} end)`;
}

function groupReading(trait: Trait | undefined, group: string, baseCurrency: string): FieldReading | undefined {
  if (trait === undefined || !isBreakdown(trait)) return undefined;
  const field = fieldOf(trait, undefined, baseCurrency);
  return {
    field: { ...field, name: `${field.name}.${group}`, title: `${field.title} (${group})` },
    sql: groupSql(trait.source, group),
  };
}

const kinds: Record<TraitKind, FieldKind> = {
  number: 'number',
  amount: 'number',
  ratio: 'number',
  duration: 'number',
  timestamp: 'moment',
  text: 'text',
  breakdown: 'number',
};

const units: Partial<Record<Unit, string>> = { days: 'days', years: 'years', seconds: 'seconds' };

type Deposited = NonNullable<Extract<TraitSource, { from: 'since' }>['unless']>;

export function fieldOf(trait: Trait, window: Window | undefined, baseCurrency: string): Field {
  const unit = trait.unit === 'base_currency' ? baseCurrency : units[trait.unit];
  return {
    name: `trait.${trait.name}${window ? `_${windowName(window)}` : ''}`,
    kind: kinds[trait.kind],
    title: `${titleOf(trait.meaning)}${window ? ` ${windowWords(window)}` : ''}`,
    ...(unit !== undefined && { unit }),
  };
}

/**
 * Turns the meaning into words of a sentence: "Number of deposits." becomes "the number of deposits", and "Days since the
 * latest deposit." becomes "the number of days since the latest deposit".
 */
export function titleOf(meaning: string): string {
  const [first = ''] = meaning.split(/[:;.,](?:\s|$)/);
  const words = /^[A-Z][a-z]/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : first;
  if (words.startsWith('days ')) return `the number of ${words}`;
  return /^(?:last|first|why|what|how|deposits|bonus money|discounts|funds|the|real money) ?/.test(words)
    ? words
    : `the ${words}`;
}
