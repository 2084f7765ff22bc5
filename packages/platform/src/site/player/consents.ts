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
 * The caller's consents, one entry per type of the interface. It contains no name or address: the page already has them, and a
 * stolen session must not reveal them.
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

/** The interface's spelling; case is ignored (docs/reference/decisions.md 4). Undefined if there is no such type. */
export function consentTypeOf(name: string): ConsentType | undefined {
  return consentTypes.find((type) => type.toLowerCase() === name.toLowerCase());
}

/**
 * Sets one consent by the player's own choice: valid in the platform immediately, and queued for the operator, in one transaction
 * (docs/reference/decisions.md 4). The player may opt in or out. If the operator has newer information, the next look-up returns it
 * (operator/writeback/README.md).
 *
 * Repeating it while the first change is being written has no effect, so a page that sets it at every visit causes no writes.
 * An equal value from the operator does not prevent a write, because it may be a day old.
 *
 * @throws {UnknownPlayer} if the player was erased in the meantime
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
