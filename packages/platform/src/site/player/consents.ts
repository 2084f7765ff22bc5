import {
  type ConsentState,
  type ConsentType,
  consentTypes,
  type Micros,
  type PlayerProfile,
} from '@croupier/contracts';
import type { Pool } from 'pg';
import { siteTime } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import { type Consent, readSyncedPlayer } from '../../operator/players/index.ts';
import { changeConsents, lockConsents } from '../../operator/writeback/index.ts';
import type { Caller } from '../session/caller.ts';

/**
 * What is held of the caller's consents, one entry per type of the interface. No name and no address: the page has its player's
 * already, and a session that was stolen shall not yield any.
 */
export async function readProfile(pool: Pool, { player_id }: Caller): Promise<PlayerProfile> {
  const { consents } = await readSyncedPlayer(pool, player_id);
  return { UserId: player_id, Consents: consentTypes.map((type) => presentConsent(type, consents)) };
}

function presentConsent(type: ConsentType, consents: readonly Consent[]): ConsentState {
  const consent = consents.find((one) => one.type === type);
  if (consent === undefined) return { Type: type, OptedIn: null, AsOf: null };
  const { opted_in, in_doubt, as_of } = consent;
  return { Type: type, OptedIn: in_doubt ? null : opted_in, AsOf: as_of === null ? null : siteTime(as_of) };
}

/** The interface's spelling; letter case does not matter (docs/reference/decisions.md 4). Undefined: there is no such type. */
export function consentTypeOf(name: string): ConsentType | undefined {
  return consentTypes.find((type) => type.toLowerCase() === name.toLowerCase());
}

/**
 * The player's own word on one consent: here at once, and on its way to the operator, in one transaction (docs/reference/decisions.md 4). It may
 * opt in as well as out; an operator who knows better says so in the next look-up (operator/writeback/README.md).
 *
 * Said again while the first is on its way it changes nothing, so that a page which says it at every visit writes to nobody. What the
 * operator told is no reason to write nothing: it may be a day old.
 *
 * @throws {UnknownPlayer} the player was erased meanwhile.
 */
export async function setConsent(
  { pool, now }: { pool: Pool; now: () => Micros },
  { brand, player_id }: Caller,
  { type, opted_in }: { type: ConsentType; opted_in: boolean },
): Promise<void> {
  const { brand_id } = brand;
  await transaction(pool, async (tx) => {
    const held = (await lockConsents(tx, { brand_id, player_id })).find((one) => one.type_key === type.toLowerCase());
    if (held?.unconfirmed === true && !held.in_doubt && held.opted_in === opted_in) return;
    await changeConsents(tx, { brand_id, player_id, changes: [{ type, opted_in }], source: 'site', at: now() });
  });
}
