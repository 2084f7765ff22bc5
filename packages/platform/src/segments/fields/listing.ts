import { type Field, operatorsOf } from '@croupier/rules';
import { type Trait, traitChapters } from '../../derive/index.ts';
import type { RuleCatalog } from './catalog.ts';
import type { FactReading } from './facts/fact.ts';
import { profileFieldNames } from './profile.ts';
import { isBreakdown } from './traits/single.ts';

/** A field with everything that rule builders need. */
export interface ListedField extends Field {
  /** The heading under which a builder should offer it. */
  readonly group: string;
  readonly meaning: string | null;
  readonly operators: readonly string[];
  /** The other windows of the trait. It is null if the field has no windows or is itself a window. */
  readonly windows: 'every' | 'favorite' | null;
}

export interface ListedFact {
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  readonly fields: readonly (Field & { readonly operators: readonly string[] })[];
}

/** The windows with which each trait is listed. A rule may use any other. */
const listedWindows = {
  every: ['24h', 'today', '7d', '30d', 'prev_7d'],
  favorite: ['30d', '90d'],
  lifetime: [],
} as const;

/** Every field of the catalog. Traits are listed with the usual windows only, because a trait can have 780 windows. */
export function listFields(catalog: RuleCatalog): ListedField[] {
  const { names } = catalog;
  const plain = (group: string, name: string): ListedField[] => {
    const field = catalog.field(name);
    return field ? [{ ...listed(field, group), meaning: null, windows: null }] : [];
  };
  return [
    ...traitChapters.flatMap(({ title, traits }) => traits.flatMap((trait) => listTrait(trait, title, catalog))),
    ...profileFieldNames.flatMap((name) => plain('Profile', `profile.${name}`)),
    ...names.segmentation.flatMap(({ key }) => plain("The operator's own", `profile.segmentation.${key}`)),
    ...names.consents.flatMap((type) => plain('Consents', `consent.${type}`)),
    ...plain('Protection', 'excluded'),
    ...names.blocks.flatMap((type) => plain('Protection', `block.${type}`)),
    ...[...names.segments].sort().flatMap((code) => plain('Segments', `segment.${code}`)),
    ...[...names.tags].sort().flatMap((name) => plain('Tags', `tag.${name}`)),
  ];
}

export function listFacts({ facts }: RuleCatalog): ListedFact[] {
  return [...facts.values()].map(listedFact);
}

function listedFact({ kind: { name, title, fields }, meaning }: FactReading): ListedFact {
  const shown = fields.map((field) => ({
    ...field,
    // Conditions on a fact do not change with the clock; `within` says how far back facts count.
    operators: operatorsOf(field).flatMap((operator) => (operator.changesAfter ? [] : [operator.name])),
  }));
  return { name: `did.${name}`, title, meaning, fields: shown };
}

function listTrait(trait: Trait, group: string, catalog: RuleCatalog): ListedField[] {
  // The operator determines the groups of a breakdown: trait.deposit_count_by_vendor.<vendor>.
  if (isBreakdown(trait)) return [];
  const windows = trait.windows === 'lifetime' ? null : trait.windows;
  return ['', ...listedWindows[trait.windows].map((window) => `_${window}`)].flatMap((suffix) => {
    const field = catalog.field(`trait.${trait.name}${suffix}`);
    if (field === undefined) return [];
    return [{ ...listed(field, group), meaning: trait.meaning, windows: suffix === '' ? windows : null }];
  });
}

function listed(field: Field, group: string): Field & Pick<ListedField, 'group' | 'operators'> {
  return { ...field, group, operators: operatorsOf(field).map(({ name }) => name) };
}
