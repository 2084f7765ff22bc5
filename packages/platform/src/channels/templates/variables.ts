import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { timestamptzText } from '../../database/index.ts';
import { readTraits, readWindow, type TraitReading, traitCatalog, type Window } from '../../derive/index.ts';
import { profileFields } from '../../operator/judging/index.ts';
import { type ProfileValues, readProfileValues } from '../../operator/players/index.ts';

/*
 * The variables that templates can use:
 *
 *   player.<field>      the operator's details, user_id; player.segmentation.<key>, player.extra.<key>
 *   trait.<name>        a trait of the catalog, with any of its windows
 *   brand.<field>       code, name, support_contact, logo_url, base_currency
 *   event, campaign, offer    fields of the cause: any
 *   unsubscribe_url, responsible_gambling, language
 *
 * Times are RFC 3339 in UTC, so that `date` can read them; amounts are exact decimal text in the base currency.
 */
export interface TemplateVariables {
  player: Readonly<Record<string, unknown>>;
  trait: Readonly<Record<string, unknown>>;
  event: Readonly<Record<string, unknown>>;
  campaign: Readonly<Record<string, unknown>>;
  offer: Readonly<Record<string, unknown>>;
}

/** Variables from the cause of a message; the template stores none of them. */
export type CauseVariables = Partial<Pick<TemplateVariables, 'event' | 'campaign' | 'offer'>>;

export const brandVariables = ['code', 'name', 'support_contact', 'logo_url', 'base_currency'] as const;

export function variablesOfBrand({ code, name, settings }: Brand): Record<(typeof brandVariables)[number], string> {
  const { display_name, support_contact, logo_url, base_currency } = settings;
  return { code, name: display_name || name, support_contact, logo_url, base_currency };
}

const playerFields: ReadonlySet<string> = new Set([...profileFields, 'user_id']);
const free: ReadonlySet<string> = new Set(['event', 'campaign', 'offer']);
const single: ReadonlySet<string> = new Set(['unsubscribe_url', 'responsible_gambling', 'language']);

/** What templates can name besides fields of the details and traits, for an editor. */
export const templateVariables: readonly { name: string; title: string; windows: null }[] = [
  { name: 'player.user_id', title: "the operator's id of the player" },
  { name: 'brand.code', title: 'the code of the brand' },
  { name: 'brand.name', title: 'the name that players see' },
  { name: 'brand.support_contact', title: 'where players ask for help' },
  { name: 'brand.logo_url', title: 'the address of the logo' },
  { name: 'brand.base_currency', title: 'the currency of all sums' },
  { name: 'unsubscribe_url', title: "the player's unsubscribe link for the channel" },
  { name: 'responsible_gambling', title: "the responsible gambling text of the player's market" },
  { name: 'language', title: 'the language of the message' },
].map((variable) => ({ ...variable, windows: null }));

/** Why a template cannot use this variable; null if it can. Pure. @param name `player.first_name`, `event.items[0].name` */
export function whyUnknown(name: string): string | null {
  const [root = '', second, ...rest] = name.split(/[.[]/);
  if (free.has(root) || single.has(root)) return null;
  switch (root) {
    case 'player':
      if (second === 'segmentation' || second === 'extra') return null;
      return second !== undefined && playerFields.has(second) && rest.length === 0
        ? null
        : `${name} is not a field of a player`;
    case 'trait':
      return second !== undefined && rest.length === 0 && isTrait(second) ? null : `${name} is not a trait`;
    case 'brand':
      return brandVariables.some((field) => field === second) ? null : `${name} is not a field of the brand`;
    default:
      return `${name} is not a variable; use player, trait, event, campaign, offer, brand, unsubscribe_url, responsible_gambling or language`;
  }
}

const traits = new Map(traitCatalog.map((trait) => [trait.name, trait]));

function isTrait(name: string): boolean {
  if (traits.has(name)) return true;
  const parts = windowed(name);
  return parts !== null && parts.windows !== 'lifetime';
}

function windowed(name: string) {
  // The name of a previous window has two parts: deposit_sum_prev_7d.
  const at = name.search(/_(?:prev_)?[^_]+$/);
  const trait = traits.get(name.slice(0, at));
  const window = readWindow(name.slice(at + 1));
  return trait === undefined || window === undefined ? null : { windows: trait.windows, window };
}

export interface PlayerVariables {
  player: Record<string, unknown>;
  trait: Record<string, unknown>;
  profile: ProfileValues | null;
}

/** The values of a player's variables among these names. */
export async function readPlayerVariables(
  db: Pool | ClientBase,
  brand: Pick<Brand, 'settings'>,
  player: { player_id: number; user_id: string },
  names: readonly string[],
  now: Micros,
): Promise<PlayerVariables> {
  const profiles = await readProfileValues(db, [player.player_id]);
  return playersVariables(db, brand, profiles, names, now)(player);
}

/** The variables of players whose details were read together. If a name needs traits, the returned function reads those of its player. */
export function playersVariables(
  db: Pool | ClientBase,
  { settings }: Pick<Brand, 'settings'>,
  profiles: ReadonlyMap<number, ProfileValues>,
  names: readonly string[],
  now: Micros,
): (player: { player_id: number; user_id: string }) => Promise<PlayerVariables> {
  const named = names.filter((name) => name.startsWith('trait.')).map((name) => name.slice('trait.'.length));
  const windows = named.flatMap((name): Window[] => {
    const parts = traits.has(name) ? null : windowed(name);
    return parts === null ? [] : [parts.window];
  });
  return async ({ player_id, user_id }) => {
    const profile = profiles.get(player_id) ?? null;
    const { time_zone } = settings;
    const of = { player_id, time_zone, registration_date: profile?.registration_date ?? null };
    const readings = named.length === 0 ? {} : await readTraits(db, of, now, windows);
    const trait = Object.fromEntries(named.map((name) => [name, presentTrait(readings[name])]));
    return { player: playerVariables(user_id, profile), trait, profile };
  };
}

export function playerVariables(user_id: string, profile: ProfileValues | null): Record<string, unknown> {
  if (profile === null) return { user_id };
  const fields = profileFields.map((field) => [field, profile[field]]);
  return {
    ...Object.fromEntries(fields),
    user_id,
    registration_date: momentText(profile.registration_date),
    verified_at: momentText(profile.verified_at),
    segmentation: profile.segmentation,
    extra: profile.extra,
  };
}

function presentTrait(reading: TraitReading | undefined): unknown {
  if (reading === undefined) return null;
  const { unit, value } = reading;
  return unit === 'timestamp' && typeof value === 'number' ? timestamptzText(value) : value;
}

function momentText(at: Micros | null): string | null {
  return at === null ? null : timestamptzText(at);
}
