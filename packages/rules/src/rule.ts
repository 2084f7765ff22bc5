import Type from 'typebox';

/*
 * A rule is a tree of groups and conditions, in the JSON that react-querybuilder edits. A condition compares a field of the player with a
 * value. A condition with the field `did.<fact>` counts facts.
 *
 *   { combinator: and | or, not?, rules: [ condition or group, ... ] }
 *   { field: 'trait.deposit_count_7d', operator: '>=', value: 2 }
 *   { field: 'did.round', match: { mode: 'atLeast', threshold: 3 }, within?: 'P7D', value?: group over fields of the fact }
 *
 * Keys that a builder adds for itself (id, path, disabled, valueSource) are ignored.
 */
export interface Group {
  combinator: 'and' | 'or';
  not?: boolean;
  rules: RuleNode[];
}

export interface Comparison {
  field: string;
  operator: string;
  value?: unknown;
}

export const matchModes = ['atLeast', 'atMost', 'exactly'] as const;
export type MatchMode = (typeof matchModes)[number];

/** Counts facts of the player. */
export interface Did {
  field: `did.${string}`;
  match: { mode: MatchMode; threshold: number };
  /** ISO 8601 duration back from the moment of evaluation. Without it, all facts count. */
  within?: string;
  /** Conditions on the fields of the fact. */
  value?: Group;
}

export type RuleNode = Group | Comparison | Did;
export type Rule = Group;

export function isGroup(node: RuleNode): node is Group {
  return 'rules' in node;
}

export function isDid(node: RuleNode): node is Did {
  return 'field' in node && node.field.startsWith('did.');
}

/**
 * The maximum numbers of conditions and of groups in a rule, and the maximum depth of nested groups, including conditions on facts.
 */
export const maxConditions = 200;
export const maxGroups = 200;
export const maxDepth = 8;

/** The published form of a rule. `checkRule` validates it against a catalog of fields. */
export const ruleSchema = Type.Cyclic(
  {
    Group: Type.Object({
      combinator: Type.Enum(['and', 'or'], { description: 'Whether all or one of `rules` must hold.' }),
      not: Type.Optional(Type.Boolean({ description: 'true: the group is negated.' })),
      rules: Type.Array(Type.Union([Type.Ref('Group'), Type.Ref('Comparison'), Type.Ref('Did')])),
    }),
    Comparison: Type.Object({
      field: Type.String({ description: 'A field of `GET rule-fields`.' }),
      operator: Type.String({ description: 'One of the operators of the field.' }),
      value: Type.Optional(Type.Unknown({ description: 'Value to compare with. The operator determines its form.' })),
    }),
    Did: Type.Object({
      field: Type.String({ pattern: '^did\\.', description: 'did.<fact>: counts facts of the player.' }),
      match: Type.Object({
        mode: Type.Enum([...matchModes]),
        threshold: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      }),
      within: Type.Optional(
        Type.String({ description: 'ISO 8601 duration, PT1M to P366D. Default: every fact counts.' }),
      ),
      value: Type.Optional(Type.Ref('Group')),
    }),
  },
  'Group',
);
