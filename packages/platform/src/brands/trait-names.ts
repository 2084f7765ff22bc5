import Type, { type Static } from 'typebox';
import type { SettingError } from './setting-error.ts';

/*
 * The names under which an operator's own `segmentation` keys become traits
 * (docs/reference/interface.md, User details record).
 *
 * Such a name must never equal the name of a trait of the platform, now or in a later version: a segment that uses the
 * name would then silently mean something else. So this compares first words instead of whole names. Every trait of the
 * platform begins with one of these words (a test checks the catalog). A mapped name must not begin with any of them.
 */
export const platformTraitWords: ReadonlySet<string> = new Set([
  'account',
  'age',
  'balance',
  'bet',
  'biggest',
  'birthday',
  'bonus',
  'cart',
  'casino',
  'custom',
  'day',
  'days',
  'deposit',
  'favorite',
  'fee',
  'first',
  'funds',
  'game',
  'ggr',
  'jackpot',
  'last',
  'locked',
  'login',
  'logout',
  'lottery',
  'message',
  'net',
  'ngr',
  'payment',
  'play',
  'player',
  'real',
  'registered',
  'registration',
  'reported',
  'round',
  'rtp',
  'segmentation',
  'session',
  'site',
  'sports',
  'total',
  'win',
  'withdrawal',
]);

export const segmentationKinds = ['number', 'text', 'boolean', 'timestamp'] as const;
export type SegmentationKind = (typeof segmentationKinds)[number];

const mappedTrait = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$',
      maxLength: 63,
      description:
        'Name of the trait, in snake_case. It must not begin with a word of the platform, such as bonus or segmentation.',
    }),
    unit: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'Unit of a number, for people: points, EUR.' }),
    ),
    kind: Type.Optional(
      Type.Unsafe<SegmentationKind>(
        Type.Enum([...segmentationKinds], {
          description: 'Kind of the trait. Default: the kind of its values, or text if they differ.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const segmentationTraits = Type.Record(Type.String({ minLength: 1, maxLength: 100 }), mappedTrait, {
  default: {},
  description:
    "The operator's segmentation keys and the traits that they become: {vip_level: {name: vip_level, unit: points, kind: number}}. A key without an entry becomes segmentation_<key>.",
});
export type SegmentationMapping = Static<typeof segmentationTraits>;

/** Errors in the names of a mapping that is otherwise valid. */
export function traitNameErrors(mapping: SegmentationMapping, path: string): SettingError[] {
  const errors: SettingError[] = [];
  const keyOf = new Map<string, string>();
  for (const [key, { name }] of Object.entries(mapping)) {
    const [word = ''] = name.split('_');
    const other = keyOf.get(name);
    if (platformTraitWords.has(word)) {
      const message = `must not begin with ${word}, which is reserved for traits of the platform; choose another name, such as operator_${name}`;
      errors.push({ path: `${path}.${key}.name`, message });
    } else if (other !== undefined) {
      errors.push({
        path: `${path}.${key}.name`,
        message: `is also the name of ${other}; use a different name for each key`,
      });
    }
    keyOf.set(name, key);
  }
  return errors;
}
