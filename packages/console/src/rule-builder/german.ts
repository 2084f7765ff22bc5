import { germanFactField, germanGroup, germanTitle } from '../text/rule-names.ts';
import { dateFormat, numberFormat } from '../ui/formats.ts';
import { type CatalogField, namedField } from './catalog.ts';
import { readSimpleDuration, shapeOf } from './conditions.ts';
import { eventWord } from './event-words.ts';
import { type Branch, type Condition, isBranch, type Node } from './tree.ts';
import { builderWords } from './words.ts';

const words = builderWords.de;

/**
 * Returns a field of `GET rule-fields` with German titles. A field without a translation, such as an operator's own
 * field, keeps its title. Pure.
 */
export function germanField(field: CatalogField): CatalogField {
  const fact = field.field.replace(/^did\./, '');
  return {
    ...field,
    title: germanTitle(field.field) ?? field.title,
    ...(field.group !== undefined && { group: germanGroup(field.group) ?? field.group }),
    ...(field.fields && {
      fields: field.fields.map((one) => ({ ...one, title: germanFactField(fact, one.field) ?? one.title })),
    }),
  };
}

/**
 * Returns the rule as a German sentence. Pure. @param fields of the catalog, for units; a field that is not listed
 * has no unit
 */
export function germanSentence(rule: Branch, fields: readonly CatalogField[]): string {
  if (rule.rules.length === 0) return rule.not ? 'Kein Spieler.' : 'Alle Spieler.';
  return `Spieler, für die gilt: ${branchText(rule, namesOfPlayer(fields))}.`;
}

/** Returns one condition of a rule as German text. Pure. @param fields as for `germanSentence` */
export function germanCondition(condition: Condition, fields: readonly CatalogField[]): string {
  return nodeText(condition, namesOfPlayer(fields));
}

/**
 * Returns the conditions on one fact as German text, for example on the event that starts a campaign. Pure. @param fact
 * its name without `did.`
 */
export function germanConditions(rule: Branch, fact: string, fields: readonly CatalogField[]): string {
  return branchText(rule, namesOfFact(fact, fields));
}

interface Names {
  titleOf(field: string): string;
  unitOf(field: string): string | null;
  /** The word for a value that the operator sends, such as `Approved`. */
  wordOf?(value: string): string;
  fields: readonly CatalogField[];
}

function branchText(branch: Branch, names: Names): string {
  const parts = branch.rules.map((node) => nodeText(node, names));
  const joined = parts.length === 0 ? 'alles' : parts.join(branch.combinator === 'and' ? ' und ' : ' oder ');
  return branch.not ? `nicht (${joined})` : joined;
}

function nodeText(node: Node, names: Names): string {
  if (!isBranch(node)) return node.match === undefined ? comparisonText(node, names) : factText(node, names);
  const text = branchText(node, names);
  return node.rules.length > 1 && !node.not ? `(${text})` : text;
}

function comparisonText({ field, operator = '=', value }: Condition, { titleOf, unitOf, wordOf }: Names): string {
  const valueText = (one: unknown) => (typeof one === 'string' && wordOf?.(one)) || plainText(one);
  const title = titleOf(field);
  if (operator === '=' && typeof value === 'boolean') return `${title}: ${valueText(value)}`;
  const said = words.operators[operator] ?? operator;
  switch (shapeOf(operator)) {
    case 'none':
      return `${title} ${said}`;
    case 'duration':
      if (operator === 'anniversaryWithin' && value === 'P0D') return `${title} jährt sich heute`;
      if (operator === 'anniversaryWithin' && value === 'P1D') return `${title} jährt sich innerhalb eines Tages`;
      return `${title} ${spanText(said, value)}`;
    case 'list':
      return `${title} ${said}: ${[value].flat().map(valueText).join(', ')}`;
    case 'range':
      return `${title} ${said} ${[value].flat().map(valueText).join(' und ')}${unitText(unitOf(field), title)}`;
    case 'one':
      return `${title} ${said} ${valueText(value)}${typeof value === 'boolean' ? '' : unitText(unitOf(field), title)}`;
  }
}

function namesOfPlayer(fields: readonly CatalogField[]): Names {
  return {
    // In a sentence, the window is in brackets. A comma before it would look like the end of a condition. A title in the
    // plural, `Tage seit der letzten Einzahlung`, would not agree with `ist`.
    titleOf: (name) => (germanTitle(name) ?? name).replace(/, ([^,]+)$/, ' ($1)').replace(/^Tage /, 'Anzahl der Tage '),
    unitOf: (name) => namedField(fields, name).field?.unit ?? null,
    fields,
  };
}

function namesOfFact(fact: string, fields: readonly CatalogField[]): Names {
  const listed = fields.find((one) => one.field === `did.${fact}`)?.fields ?? [];
  return {
    titleOf: (name) => germanFactField(fact, name) ?? name,
    unitOf: (name) => listed.find((one) => one.field === name)?.unit ?? null,
    wordOf: (value) => eventWord(value, 'de') ?? value,
    fields,
  };
}

/** Returns how often something happened, such as `Zahlungen in den letzten 7 Tagen, bei denen (…): mindestens 3`. */
function factText({ field, match, within, value }: Condition, names: Names): string {
  const fact = field.replace(/^did\./, '');
  const when = within === undefined ? '' : ` ${spanText(words.within, within)}`;
  const inner = value as Branch | undefined;
  const where =
    inner === undefined || inner.rules.length === 0
      ? ''
      : `, bei denen ${branchText(inner, namesOfFact(fact, names.fields))}`;
  const often = `${words.operators[match?.mode ?? ''] ?? ''} ${plainText(match?.threshold)}`;
  return `${names.titleOf(field)}${when}${where}: ${often}`;
}

const unitNames: Readonly<Record<string, string>> = { days: 'Tage', years: 'Jahre', seconds: 'Sekunden' };

/** Returns the unit after a value, or nothing if the title contains it: `Anzahl der Tage … ist höchstens 7`. */
function unitText(unit: string | null, title: string): string {
  const name = unit === null ? '' : (unitNames[unit] ?? unit);
  return name === '' || title.split(' ').includes(name) ? '' : ` ${name}`;
}

const moment = /^\d{4}-\d\d-\d\dT/;

function plainText(value: unknown): string {
  if (value === true) return words.yes;
  if (value === false) return words.no;
  if (value === null || value === undefined) return words.unknown;
  if (typeof value === 'number') return numberFormat('de', { maximumFractionDigits: 20 }).format(value);
  if (typeof value === 'string' && moment.test(value)) {
    const form = { dateStyle: 'medium', timeStyle: 'short' } as const;
    return dateFormat('de', form).format(new Date(value));
  }
  return String(value);
}

/** One hour and one minute after `in der letzten`. */
const singles: Readonly<Record<string, string>> = { M: 'Minute', H: 'Stunde' };

/** Returns a span after its words: `in den letzten 7 Tagen`, `liegt in der nächsten Stunde`. */
function spanText(said: string, duration: unknown): string {
  const { count, unit = '' } = readSimpleDuration(duration) ?? {};
  const single = count === '1' ? singles[unit] : undefined;
  const ofOne = said.replace(/den (letzten|nächsten)$/, 'der $1');
  return single === undefined || ofOne === said ? `${said} ${durationText(duration)}` : `${ofOne} ${single}`;
}

/** The units as they appear after `in den letzten`. */
const units: Readonly<Record<string, string>> = { M: 'Minuten', H: 'Stunden', D: 'Tagen', W: 'Wochen', S: 'Sekunden' };
/** Other periods of one unit are written in a smaller unit: `am letzten Tag` would be read as a day of the calendar. */
const ones: Readonly<Record<string, string>> = { M: '60 Sekunden', H: '60 Minuten', D: '24 Stunden', W: '7 Tagen' };

function durationText(duration: unknown): string {
  const simple = readSimpleDuration(duration);
  if (simple === undefined) return String(duration);
  const { count, unit } = simple;
  return (count === '1' ? ones[unit] : undefined) ?? `${count} ${units[unit] ?? unit}`;
}
