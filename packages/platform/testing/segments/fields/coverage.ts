import { operatorsOf, type Rule, type RuleNode } from '@croupier/rules';
import type { RuleCatalog } from '../../../src/segments/fields/catalog.ts';

/** The windows of traits, by the ends of their names. */
const windows: readonly (readonly [name: string, end: RegExp])[] = [
  ['clock hours', /_\d+h$/],
  ['today', /_today$/],
  ['days', /(?<!_prev)_\d+d$/],
  ['days before those', /_prev_\d+d$/],
];

/** Counts the parts of rules, so that a test fails if it never generates a kind that it should cover. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  /** @param catalog of the brand whose fields the rules use */
  add(rule: Rule, catalog: RuleCatalog): void {
    this.#node(rule, catalog, '');
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** The parts that occurred fewer than `least` times, among all that rules over a catalog may contain. */
  missing(catalog: RuleCatalog, fields: readonly string[], least: number): string[] {
    return expected(catalog, fields)
      .filter((what) => (this.#counts.get(what) ?? 0) < least)
      .map((what) => `${what}: ${this.#counts.get(what) ?? 0}`);
  }

  #node(node: RuleNode, catalog: RuleCatalog, within: string): void {
    if ('rules' in node) {
      this.count(`${within}group ${node.combinator}`);
      if (node.not === true) this.count(`${within}group not`);
      for (const one of node.rules) this.#node(one, catalog, within);
      return;
    }
    if ('match' in node) {
      this.count(node.field);
      this.count(`did ${node.match.mode}`);
      this.count(
        node.within === undefined ? 'did ever' : node.within.startsWith('PT') ? 'did within hours' : 'did within days',
      );
      if (node.value !== undefined) this.#node(node.value, catalog, 'fact ');
      return;
    }
    this.count(`${within}operator ${node.operator}`);
    if (within !== '') return;
    this.count(`namespace ${namespaceOf(node.field)}`);
    this.count(`kind ${catalog.field(node.field)?.kind}`);
    for (const [name, end] of windows) if (end.test(node.field)) this.count(`window ${name}`);
  }
}

function namespaceOf(field: string): string {
  if (field.startsWith('profile.segmentation.')) return 'profile.segmentation';
  return field.split('.')[0] ?? '';
}

function expected(catalog: RuleCatalog, names: readonly string[]): string[] {
  const fields = names.flatMap((name) => catalog.field(name) ?? []);
  const all = [
    'group and',
    'group or',
    'group not',
    'fact group and',
    'fact group or',
    'fact group not',
    'did atLeast',
    'did atMost',
    'did exactly',
    'did ever',
    'did within hours',
    'did within days',
    ...windows.map(([name]) => `window ${name}`),
    ...[...catalog.facts.keys()].map((fact) => `did.${fact}`),
    ...fields.flatMap((field) => operatorsOf(field).map(({ name }) => `operator ${name}`)),
    ...fields.flatMap(({ name, kind }) => [`kind ${kind}`, `namespace ${namespaceOf(name)}`]),
    'value null',
    'value present',
    'turns',
  ];
  return [...new Set(all)];
}
