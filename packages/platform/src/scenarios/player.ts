import { type ConsentType, consentTypes, type Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { startTraits } from '../derive/index.ts';
import { bucketOf, playerHash } from '../ledger/index.ts';
import { noteProtection } from '../operator/protection/index.ts';
import { changeConsents } from '../operator/writeback/index.ts';
import { tagPlayers } from '../segments/membership/index.ts';
import type { PlayerState } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** Details that have a column; others are stored as the operator's own. */
const columns = [
  'address',
  'birth_date',
  'city',
  'country',
  'currency',
  'email',
  'first_name',
  'language',
  'last_name',
  'mobile',
  'mobile_prefix',
  'origin',
  'postal_code',
  'sex',
  'title',
  'username',
  'verified_at',
  'registration_code',
  'registration_date',
  'affiliate_reference',
  'market',
  'segmentation',
] as const;

/** The default consents of a player: messages are permitted on each channel. */
export const usualConsents: Readonly<Record<string, boolean>> = {
  SiteNotification: true,
  Email: true,
  SMS: true,
  Telephone: true,
  PostMail: true,
  PushNotification: true,
};

/** Creates a player about whom nothing is known yet. @returns player_id */
export async function insertPlayer(pool: Pool, { brand_id }: Brand, userId: string, at: Micros): Promise<number> {
  const { rows } = await pool.query<{ player_id: number }>(
    'insert into player (brand_id, user_id, bucket, created_at) values ($1, $2, $3, $4) returning player_id',
    [brand_id, userId, bucketOf(playerHash(brand_id, userId)), timestamptzText(at)],
  );
  return (rows[0] as { player_id: number }).player_id;
}

/** Writes what the operator's look-ups would now answer; omitted fields stay unchanged. */
export async function setPlayer(
  pool: Pool,
  { brand_id }: Brand,
  playerId: number,
  { profile = {}, consents = {}, blocks = {}, tags = [], excluded, blocked }: PlayerState,
  at: Micros,
): Promise<void> {
  await transaction(pool, async (tx) => {
    const as_of = timestamptzText(at);
    const known = columns.filter((name) => profile[name] !== undefined);
    const extra = Object.fromEntries(Object.entries(profile).filter(([name]) => !columns.includes(name as never)));
    const values = [playerId, as_of, JSON.stringify(extra), excluded ?? null, blocked ?? null];
    for (const name of known)
      values.push(name === 'segmentation' ? JSON.stringify(profile[name]) : String(profile[name]));
    const names = known.map((name) => `, ${name}`).join('');
    const given = known.map((_, place) => `, $${place + 6}`).join('');
    const changes = known.map((name) => `, ${name} = excluded.${name}`).join('');
    await tx.query(
      `insert into player_profile as p (player_id, changed_at, extra, is_excluded, is_blocked${names})
       values ($1, $2, $3, coalesce($4::boolean, false), coalesce($5::boolean, false)${given})
       on conflict (player_id) do update
         set changed_at = excluded.changed_at, extra = p.extra || excluded.extra,
             is_excluded = coalesce($4::boolean, p.is_excluded), is_blocked = coalesce($5::boolean, p.is_blocked)${changes}`,
      values,
    );
    for (const [type, opted_in] of Object.entries(consents))
      await tx.query(
        `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
         values ($1, lower($2), $2, $2, $3, 'look_up', $4)
         on conflict (player_id, type_key) do update set opted_in = excluded.opted_in, as_of = excluded.as_of`,
        [playerId, type, opted_in, as_of],
      );
    for (const [type, active] of Object.entries(blocks))
      await tx.query(
        `insert into player_block (player_id, type_key, type, spelling, active, source, as_of)
         values ($1, lower($2), $2, $2, $3, 'look_up', $4)
         on conflict (player_id, type_key) do update set active = excluded.active, as_of = excluded.as_of`,
        [playerId, type, active, as_of],
      );
    const actor = 'a scenario';
    await tagPlayers(
      tx,
      [...new Set(tags)].map((tag) => ({ player_id: playerId, brand_id, tag, action: 'add' as const, actor })),
      at,
    );
    await noteProtection(tx, [playerId], { source: 'look_up', at });
  });
}

/**
 * Only these consents can change a decision of the gate.
 *
 * @throws {ScenarioError} with a path for each type that neither the platform nor `product_consents` of the brand has
 */
export function refuseUnknownConsents({ settings }: Brand, consents: Readonly<Record<string, boolean>> = {}): void {
  const types = [...consentTypes, ...settings.product_consents.map(({ consent }) => consent)];
  const known = new Set(types.map((type) => type.toLowerCase()));
  const errors = Object.keys(consents)
    .filter((type) => !known.has(type.toLowerCase()))
    .map((type) => ({
      path: `/player/consents/${type}`,
      message: `unknown consent; the consents are ${types.join(', ')}`,
    }));
  if (errors.length > 0)
    throw new ScenarioError(errors.map(({ path, message }) => `${path}: ${message}`).join('; '), errors);
}

/** What the platform does when a player complains about a message or unsubscribes. */
export async function withdrawConsent(
  pool: Pool,
  { brand_id }: Brand,
  playerId: number,
  channel: string,
  at: Micros,
): Promise<void> {
  const type = consentOfReports[channel];
  if (type === undefined) return;
  const player = { brand_id, player_id: playerId };
  const changes = [{ type, opted_in: false }];
  await transaction(pool, (tx) =>
    changeConsents(tx, { ...player, changes, source: 'unsubscribe', at, note: 'in a scenario' }),
  );
}

const consentOfReports: Readonly<Record<string, ConsentType>> = {
  email: 'Email',
  sms: 'SMS',
  telephone: 'Telephone',
  post_mail: 'PostMail',
};

/** Gives the player starting values of traits. @throws {ScenarioError} with a path for each wrong one */
export async function startPlayer(
  pool: Pool,
  { brand_id, settings: { time_zone } }: Brand,
  of: { playerId: number; traits: Readonly<Record<string, unknown>>; isCopied: boolean; at: Micros },
): Promise<void> {
  const path = '/player/traits';
  const wrong = (errors: readonly { path: string; message: string }[]) =>
    new ScenarioError(errors.map((one) => `${one.path}: ${one.message}`).join('; '), errors);
  if (of.isCopied)
    throw wrong([{ path, message: 'a copied player has the traits of its events; publish events to change them' }]);
  const player = { brand_id, player_id: of.playerId, time_zone };
  const errors = await transaction(pool, (tx) => startTraits(tx, player, of.traits, of.at));
  if (errors.length > 0) throw wrong(errors.map(({ name, message }) => ({ path: `${path}/${name}`, message })));
}

/** Makes the operator answer all pending look-ups, as of now. */
export async function answerLookUps(pool: Pool, { brand_id }: Brand, playerId: number, at: Micros): Promise<void> {
  await pool.query(
    `insert into player_sync as s (player_id, look_up, brand_id, requested, done, lane, as_of)
     select $1, look_up, $2, 1, 1, 0, $3 from unnest(array['details', 'consents', 'blocks']) look_up
     on conflict (player_id, look_up) do update set done = s.requested, as_of = excluded.as_of, due_at = null`,
    [playerId, brand_id, timestamptzText(at)],
  );
}
