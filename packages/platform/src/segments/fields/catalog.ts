import type { Catalog, FactKind, Field } from '@croupier/rules';
import type { BrandNames, RuleBrand } from './brand-names.ts';
import type { FactReading } from './facts/fact.ts';
import { factReadings } from './facts/facts.ts';
import { type Memberships, noMemberships, segmentReading, tagName, tagReading } from './memberships.ts';
import { profileReading } from './profile.ts';
import { blockReading, consentReading, excludedReading } from './protection.ts';
import type { FieldReading } from './reading.ts';
import { segmentationReading } from './segmentation.ts';
import { traitReading } from './traits/trait-fields.ts';

/** The fields and facts that the rules of a brand may use, each with the place of its values. */
export class RuleCatalog implements Catalog {
  readonly brand: RuleBrand;
  readonly names: BrandNames;
  readonly facts: ReadonlyMap<string, FactReading>;
  readonly #memberships: Memberships;
  readonly #readings = new Map<string, FieldReading | undefined>();

  constructor(brand: RuleBrand, names: BrandNames, memberships: Memberships) {
    this.brand = brand;
    this.names = names;
    this.facts = factReadings(brand.settings.base_currency);
    this.#memberships = memberships;
  }

  field(name: string): Field | undefined {
    return this.reading(name)?.field;
  }

  fact(name: string): FactKind | undefined {
    return this.facts.get(name)?.kind;
  }

  reading(name: string): FieldReading | undefined {
    if (this.#readings.has(name)) return this.#readings.get(name);
    const reading = this.#find(name);
    // Unknown names are not cached, because a request may contain any name.
    if (reading !== undefined) this.#readings.set(name, reading);
    return reading;
  }

  #find(name: string): FieldReading | undefined {
    if (name === 'excluded') return excludedReading;
    const dot = name.indexOf('.');
    const rest = name.slice(dot + 1);
    switch (name.slice(0, dot)) {
      case 'trait':
        return traitReading(rest, this.brand.settings.base_currency);
      case 'profile':
        return rest.startsWith('segmentation.') ? this.#segmentation(rest) : profileReading(rest);
      case 'consent':
        return this.names.consents.includes(rest) ? consentReading(rest) : undefined;
      case 'block':
        return this.names.blocks.includes(rest) ? blockReading(rest) : undefined;
      case 'segment':
        return this.names.segments.has(rest) ? segmentReading(rest, this.#memberships) : undefined;
      case 'tag':
        return tagName.test(rest) ? tagReading(rest, this.#memberships) : undefined;
      default:
        return undefined;
    }
  }

  #segmentation(name: string): FieldReading | undefined {
    const key = this.names.segmentation.find((one) => `segmentation.${one.key}` === name);
    return key && segmentationReading(key, this.brand.settings.zoneless_timestamps);
  }
}

/** @param memberships where segments and tags are stored; without them, no player is in any segment or has any tag */
export function ruleCatalog(
  brand: RuleBrand,
  names: BrandNames,
  memberships: Memberships = noMemberships,
): RuleCatalog {
  return new RuleCatalog(brand, names, memberships);
}
