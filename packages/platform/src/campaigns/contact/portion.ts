import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { RulesOfContact } from '../../gate/index.ts';
import { Versions } from '../documents/active-store.ts';
import { readPlayers } from '../runs/store.ts';
import { tryLockForCaps } from './cap-locks.ts';
import { heldContacts } from './held.ts';
import { type PlannedContact, rulesFor } from './rules.ts';

/** A kind of contact that is made with many players, outside campaigns. */
export interface ContactsAlike {
  brand: Brand;
  at: Micros;
  contact: { channel: string; purpose: string; priority: number };
  subject: PlannedContact['subject'];
  players: readonly number[];
}

/** The rules of contact for code that contacts players outside campaigns, such as bulk actions. */
export class ContactRules {
  readonly #versions: Versions;

  constructor({ pool }: { pool: Pool }) {
    this.#versions = new Versions({ pool });
  }

  /**
   * @returns the players who can be processed now, in their order, with the rules for them (undefined if there are none), and
   * the players who were erased. Another transaction is contacting the remaining players, so try them again later
   */
  async of(
    tx: PoolClient,
    { brand, at, contact, subject, players }: ContactsAlike,
  ): Promise<{ players: number[]; gone: number[]; rules: RulesOfContact | undefined }> {
    const hasCaps = brand.settings.frequency_caps.length > 0 && contact.purpose !== 'bonus';
    const free = hasCaps ? await tryLockForCaps(tx, players) : undefined;
    const own = players.filter((player) => free?.has(player) ?? true);
    const known = await readPlayers(tx, own);
    const here = own.filter((player) => known.has(player));
    const planned = here.flatMap((id) => {
      const player = known.get(id);
      return player === undefined ? [] : [{ player, contact, subject }];
    });
    const heldOf = (ids: readonly number[]) => heldContacts(tx, this.#versions, ids, { at });
    const gone = own.filter((player) => !known.has(player));
    return { players: here, gone, rules: await rulesFor(tx, planned, { brand, at, heldOf }) };
  }
}
