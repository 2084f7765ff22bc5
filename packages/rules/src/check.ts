import { durationWords, longestDuration, readDuration, shortestDuration } from './duration.ts';
import { type Catalog, type Field, factNameOf } from './field.ts';
import { operatorOf, operatorsOf } from './operators/index.ts';
import {
  type Comparison,
  type Did,
  isDid,
  isGroup,
  type MatchMode,
  matchModes,
  maxConditions,
  maxDepth,
  maxGroups,
  type RuleNode,
} from './rule.ts';

/** An error in a rule and its place: a JSON path such as /rules/0/value. */
export interface RuleError {
  path: string;
  message: string;
}

/** The maximum number of errors that one check returns. */
const maxErrors = 20;
/** The maximum threshold of a count of facts. */
const maxThreshold = 1_000_000;

/**
 * All errors in a rule, in the order of the document; empty if the rule can be evaluated. Accepts any JSON:
 * if it does not have the form of a rule, that is an error like the others.
 *
 * @param of `stored`: a rule that was accepted before. It may contain conditions that give every player the same answer
 */
export function checkRule(rule: unknown, catalog: Catalog, of: 'new' | 'stored' = 'new'): RuleError[] {
  const check = new Check(catalog, of);
  check.group(rule, '', 1);
  if (check.conditions > maxConditions)
    check.errors.unshift({
      path: '',
      message: `a rule can have at most ${maxConditions} conditions; this one has ${check.conditions}`,
    });
  if (check.groups > maxGroups)
    check.errors.unshift({ path: '', message: `a rule can have at most ${maxGroups} groups` });
  if (check.errors.length === 0) {
    const path = pathOfUnstorable(rule);
    if (path !== undefined)
      check.errors.push({ path, message: 'must not contain a NUL character or half a character' });
  }
  return check.errors.slice(0, maxErrors);
}

/**
 * The place of a text that PostgreSQL cannot store. It checks all keys, because a rule is stored with the keys that a builder adds
 * for itself. It uses no recursion, because these keys may be nested deeply.
 */
function pathOfUnstorable(rule: unknown): string | undefined {
  const waiting: [path: string, value: unknown][] = [['', rule]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' && !isStorable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!isStorable(key)) return path;
      waiting.push([`${path}/${key}`, child]);
    }
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

class Check {
  readonly errors: RuleError[] = [];
  readonly #catalog: Catalog;
  readonly #isNew: boolean;
  conditions = 0;
  groups = 0;

  constructor(catalog: Catalog, of: 'new' | 'stored') {
    this.#catalog = catalog;
    this.#isNew = of === 'new';
  }

  group(node: unknown, path: string, depth: number, fields?: readonly Field[]): undefined {
    // Stop at this number of groups. The limit of conditions does not stop empty groups, because they have no conditions.
    if (++this.groups > maxGroups) return undefined;
    if (!isObject(node)) return this.#error(path, 'must be a group: { "combinator": "and", "rules": [...] }');
    if (depth > maxDepth) return this.#error(path, `groups can be nested at most ${maxDepth} deep`);
    if (node.combinator !== 'and' && node.combinator !== 'or')
      this.#error(`${path}/combinator`, 'must be "and" or "or"');
    if (node.not !== undefined && typeof node.not !== 'boolean') this.#error(`${path}/not`, 'must be true or false');
    if (!Array.isArray(node.rules)) return this.#error(`${path}/rules`, 'must be a list of conditions and groups');
    // If there are far more than a rule may have, only some of them are checked.
    if (node.rules.length > 10 * maxConditions) {
      this.conditions += node.rules.length;
      return undefined;
    }
    node.rules.forEach((child: unknown, index) => {
      this.#node(child, `${path}/rules/${index}`, depth, fields);
    });
  }

  #node(node: unknown, path: string, depth: number, fields: readonly Field[] | undefined): undefined {
    if (!isObject(node)) return this.#error(path, 'must be a condition or a group');
    if ('rules' in node) return this.group(node, path, depth + 1, fields);
    this.conditions++;
    if (typeof node.field !== 'string') return this.#error(`${path}/field`, 'must have a field');
    if (!node.field.startsWith('did.')) return this.#comparison(node as unknown as Comparison, path, fields);
    if (fields !== undefined)
      return this.#error(`${path}/field`, 'facts cannot be counted within a condition on a fact');
    this.#did(node as unknown as Did, path, depth);
  }

  #comparison(
    { field: name, operator: operatorName, value }: Comparison,
    path: string,
    fields?: readonly Field[],
  ): undefined {
    const field = fields ? fields.find((one) => one.name === name) : this.#catalog.field(name);
    if (field === undefined)
      return this.#error(`${path}/field`, `unknown field "${name.slice(0, 100)}"; GET rule-fields lists the fields`);
    // Only strings are looked up. Otherwise the value null would be read as the operator "null".
    const operator = typeof operatorName === 'string' ? operatorOf(field, operatorName) : undefined;
    if (operator === undefined) {
      const names = operatorsOf(field).map((one) => one.name);
      return this.#error(`${path}/operator`, `${name} allows these operators: ${names.join(', ')}`);
    }
    // A fact happened once, so the clock never changes a condition on it. Use `within` to state how far back facts count.
    if (fields !== undefined && operator.changesAfter)
      return this.#error(`${path}/operator`, `${operator.name} is not allowed for a field of a fact; use "within"`);
    const wrong = operator.check(value, field) ?? (this.#isNew ? operator.pointless?.(value, field) : undefined);
    if (wrong !== undefined) this.#error(`${path}/value`, wrong);
  }

  #did({ field, match, within, value }: Did, path: string, depth: number): undefined {
    const fact = this.#catalog.fact(factNameOf(field));
    if (fact === undefined)
      return this.#error(`${path}/field`, `unknown fact "${field.slice(0, 100)}"; GET rule-fields lists the facts`);
    if (!isObject(match) || !matchModes.includes(match.mode as MatchMode))
      this.#error(
        `${path}/match`,
        `must be { "mode": ${matchModes.map((mode) => `"${mode}"`).join(' | ')}, "threshold": number }`,
      );
    else if (!Number.isInteger(match.threshold) || match.threshold < 0 || match.threshold > maxThreshold)
      this.#error(`${path}/match/threshold`, `must be a whole number from 0 to ${maxThreshold}`);
    if (within !== undefined) {
      const length = typeof within === 'string' ? readDuration(within) : undefined;
      if (length === undefined || length < shortestDuration || length > longestDuration)
        this.#error(
          `${path}/within`,
          `must be an ISO 8601 duration from ${durationWords('PT1M')} (PT1M) to ${durationWords('P366D')} (P366D)`,
        );
    }
    if (value !== undefined) this.group(value, `${path}/value`, depth + 1, fact.fields);
  }

  #error(path: string, message: string): undefined {
    this.errors.push({ path, message });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls `visit` with each condition of a checked rule and its JSON path, except conditions on the fields of facts. */
export function eachCondition(
  node: RuleNode,
  visit: (condition: Comparison | Did, path: string) => void,
  path = '',
): undefined {
  if (isGroup(node))
    for (const [index, child] of node.rules.entries()) eachCondition(child, visit, `${path}/rules/${index}`);
  else visit(isDid(node) ? node : (node as Comparison), path);
}
