import { Type } from 'typebox';
import { readNextOfferExpiry } from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { readMessageCounts } from '../../channels/index.ts';
import {
  personalTraits,
  readTraits,
  readWindow,
  type TraitReading,
  traitNames,
  usualWindows,
  type Window,
  windowsInWords,
} from '../../derive/index.ts';
import type { Profile as PlayerProfile } from '../../operator/players/index.ts';
import { mask } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Moment, momentText } from '../routing/fields.ts';
import { refusedField } from '../routing/refused.ts';
import { presentSegmentationTraits } from '../segmentation/player-traits.ts';

export const Trait = Type.Object({
  value: Type.Union(
    [
      Type.Boolean(),
      Type.Number(),
      Type.String(),
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()])),
      Type.Null(),
    ],
    {
      description:
        'Counts are numbers, amounts and ratios exact decimal strings, times RFC 3339, breakdowns a value per name. Null: never',
    },
  ),
  unit: Type.String({
    description: '`count`, `ratio`, `days`, `seconds`, `timestamp`, `id`, `text`, or the currency of an amount',
  }),
  as_of: Moment,
});

/** The traits as shown, including the operator's own. */
export async function shownTraits(
  { pool, clock }: Pick<ConsoleDeps, 'pool' | 'clock'>,
  brand: Brand,
  player_id: number,
  profile: PlayerProfile | null,
  unmasked: boolean,
  windows: readonly Window[],
) {
  const { base_currency, time_zone } = brand.settings;
  const { registration_date = null, birth_date = null } = profile ?? {};
  const offer_expires_at = await readNextOfferExpiry(pool, player_id, clock());
  const messages = await readMessageCounts(pool, player_id);
  const described = { player_id, time_zone, registration_date, birth_date, offer_expires_at, messages };
  const traits = await readTraits(pool, described, clock(), windows);
  const shown = Object.entries(traits).map(([name, trait]) => [
    name,
    presentTrait(unmasked || !personalTraits.has(name) ? trait : maskTrait(trait), base_currency),
  ]);
  return {
    ...(Object.fromEntries(shown) as Record<string, ReturnType<typeof presentTrait>>),
    ...(await presentSegmentationTraits(pool, brand, profile, clock())),
  };
}

/** The windows at the ends of trait names: deposit_sum_prev_7d has 7d and prev_7d. */
export function windowsIn(names: readonly string[]): Window[] {
  const endings = names.flatMap((name) => {
    const words = name.split('_');
    return words.map((_, from) => words.slice(from).join('_'));
  });
  return [...new Set(endings)].map(readWindow).filter((window) => window !== undefined);
}

/** @throws for a name that neither the platform nor the operator's segmentation has */
export function requireTraits(names: readonly string[], { settings }: Brand): void {
  const ofPlatform = traitNames(windowsIn(names));
  const mapped = new Set(Object.values(settings.segmentation_traits).map(({ name }) => name));
  // If a player's details do not contain the key, the player lacks the trait, but the name is valid.
  const isOperators = (name: string) => mapped.has(name) || name.startsWith('segmentation_');
  const wrong = names.filter((name) => !ofPlatform.has(name) && !isOperators(name));
  if (wrong.length === 0) return;
  const message = {
    en: `unknown trait ${wrong.join(', ')}; GET traits lists all traits`,
    de: `Unbekanntes Merkmal ${wrong.join(', ')}; GET traits listet alle Merkmale auf`,
  };
  throw refusedField('traits', 'enum', message);
}

function maskTrait(trait: TraitReading): TraitReading {
  return trait.value === null ? trait : { ...trait, value: mask };
}

/** Amounts include their currency; times are text, as everywhere in the API. */
function presentTrait({ value, unit, as_of }: TraitReading, baseCurrency: string) {
  return { value: traitText(value, unit), unit: unitText(unit, baseCurrency), as_of: momentText(as_of) };
}

export function traitText(value: TraitReading['value'], unit: TraitReading['unit']) {
  return unit === 'timestamp' && typeof value === 'number' ? momentText(value) : value;
}

export function unitText(unit: TraitReading['unit'], baseCurrency: string): string {
  return unit === 'base_currency' ? baseCurrency : unit;
}

export function windowsOf(names: string | undefined): readonly Window[] {
  if (names === undefined) return usualWindows;
  return names.split(',').map((name) => {
    const window = readWindow(name);
    if (window !== undefined) return window;
    const message = {
      en: `${name} is not a window; use ${windowsInWords}`,
      de: `${name} ist kein Zeitraum; möglich sind ${windowsInWords}`,
    };
    throw refusedField('windows', 'window', message);
  });
}
