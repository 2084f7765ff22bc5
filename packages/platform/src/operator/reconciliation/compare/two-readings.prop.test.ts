import { type Micros, type ReconciliationField, reconciliationFields } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBrand } from '../../../../testing/brand.ts';
import { setupDatabase } from '../../../../testing/database.ts';
import { timestamptzText, transaction } from '../../../database/index.ts';
import { subjectOf } from '../fields.ts';
import { addToStage, createStage } from '../stage/stage-store.ts';
import { compareFact } from './compare.ts';
import { findDiffering, readFacts } from './fact-store.ts';
import { activeFact, type BlockFacts, blockFact, type ConsentFacts, consentFact } from './facts.ts';

/*
 * Two implementations of one rule: the differences that PostgreSQL finds among stored rows, and those of the pure functions on
 * the same facts. Both must find the same players, and the same time since when the fact is stored.
 */
const { pool } = await setupDatabase();
const { brand } = await createBrand(pool);
const stageId = 1;
await createStage(pool, stageId);

const time: fc.Arbitrary<Micros | null> = fc.option(fc.integer({ min: 1, max: 4 }).map((n) => n * 1_000_000_000));
const flag = fc.option(fc.boolean());
const blockRow = fc.option(
  fc.record({ active: flag, in_doubt: fc.boolean(), as_of: time.map((at) => at ?? 0), unconfirmed: fc.boolean() }),
);
const stored = fc.record({
  listed: fc.boolean(),
  sync: fc.record({ details: time, consents: time, blocks: time }),
  consent: fc.option(
    fc.record({ opted_in: flag, in_doubt: fc.boolean(), as_of: time.map((at) => at ?? 0), unconfirmed: fc.boolean() }),
  ),
  blocked: blockRow,
  excluded: blockRow,
  profile: fc.option(
    fc.record({
      is_blocked: flag,
      is_excluded: flag,
      blocked_in_doubt: fc.boolean(),
      excluded_in_doubt: fc.boolean(),
      older: time,
    }),
  ),
});
type Stored = typeof stored extends fc.Arbitrary<infer S> ? S : never;

function pureFact(field: ReconciliationField, { sync, consent, profile, ...blocks }: Stored) {
  const subject = subjectOf(field);
  if (subject.about === 'consent') {
    const facts: ConsentFacts = {
      opted_in: consent?.opted_in ?? null,
      in_doubt: consent?.in_doubt ?? false,
      row_as_of: consent?.as_of ?? null,
      unconfirmed: consent?.unconfirmed ?? false,
      consents_looked_up: sync.consents,
    };
    return consentFact(facts);
  }
  const block = (name: 'blocked' | 'excluded') => {
    const row = blocks[name];
    const facts: BlockFacts = {
      active: row?.active ?? null,
      in_doubt: row?.in_doubt ?? false,
      row_as_of: row?.as_of ?? null,
      unconfirmed: row?.unconfirmed ?? false,
      flag: profile?.[`is_${name}`] ?? null,
      flag_in_doubt: profile?.[`${name}_in_doubt`] ?? false,
      flag_older: profile?.older ?? null,
      blocks_looked_up: sync.blocks,
      details_looked_up: sync.details,
    };
    return blockFact(facts);
  };
  if (subject.about === 'block') return block(subject.flag === 'is_blocked' ? 'blocked' : 'excluded');
  return activeFact(block('blocked'), block('excluded'));
}

async function store(userId: string, facts: Stored): Promise<number> {
  const { rows } = await pool.query<{ player_id: number }>(
    'insert into player (brand_id, user_id, bucket) values ($1, $2, 0) returning player_id',
    [brand.brand_id, userId],
  );
  const playerId = rows[0]?.player_id ?? 0;
  const text = (at: Micros | null) => (at === null ? null : timestamptzText(at));
  if (facts.listed) await addToStage(pool, stageId, [userId]);
  for (const [lookUp, as_of] of Object.entries(facts.sync)) {
    await pool.query('insert into player_sync (player_id, look_up, brand_id, lane, as_of) values ($1, $2, $3, 0, $4)', [
      playerId,
      lookUp,
      brand.brand_id,
      text(as_of),
    ]);
  }
  if (facts.consent) {
    const { opted_in, in_doubt, as_of, unconfirmed } = facts.consent;
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, in_doubt, source, as_of, unconfirmed)
       values ($1, 'email', 'Email', 'Email', $2, $3, 'look_up', $4, $5)`,
      [playerId, opted_in, in_doubt, text(as_of), unconfirmed],
    );
  }
  for (const [name, row] of Object.entries({ Blocked: facts.blocked, Excluded: facts.excluded })) {
    if (row === null) continue;
    await pool.query(
      `insert into player_block (player_id, type_key, type, spelling, active, in_doubt, source, as_of, unconfirmed)
       values ($1, $2, $3, $3, $4, $5, 'look_up', $6, $7)`,
      [playerId, name.toLowerCase(), name, row.active, row.in_doubt, text(row.as_of), row.unconfirmed],
    );
  }
  if (facts.profile) {
    const { older, is_blocked, is_excluded, blocked_in_doubt, excluded_in_doubt } = facts.profile;
    await pool.query(
      `insert into player_profile (player_id, is_blocked, is_excluded, blocked_in_doubt, excluded_in_doubt, older, changed_at)
       values ($1, $2, $3, $4, $5, $6, now())`,
      [
        playerId,
        is_blocked,
        is_excluded,
        blocked_in_doubt,
        excluded_in_doubt,
        older === null ? {} : { is_blocked: older, is_excluded: older },
      ],
    );
  }
  return playerId;
}

const fields = reconciliationFields.filter((field) => !/_(?!email)/.test(field));

test('PostgreSQL and the pure functions read the same facts', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(stored, { minLength: 8, maxLength: 12 }), async (players) => {
      const names = players.map(() => `p${String(made++).padStart(6, '0')}`);
      const ids: number[] = [];
      for (const [i, facts] of players.entries()) ids.push(await store(names[i] ?? '', facts));
      const after = `p${String(made - players.length - 1).padStart(6, '0')}`;
      for (const field of fields) {
        const { found, facts } = await transaction(pool, async (tx) => {
          const of = { reconciliation_id: stageId, brand_id: brand.brand_id, field };
          const found = await findDiffering(tx, of, { after, end: names.at(-1) ?? '', limit: 100 });
          return { found, facts: await readFacts(tx, field, ids) };
        });
        const { about } = subjectOf(field);
        const differing = players.flatMap((one, i) => {
          const verdict = compareFact(about, pureFact(field, one), one.listed, Number.POSITIVE_INFINITY);
          return verdict === 'agrees' ? [] : [ids[i]];
        });
        // The time of the result is far in the future, so only unconfirmed changes count as newer. They still differ.
        expect(found.map(({ player_id }) => player_id)).toEqual(differing);
        for (const [i, one] of players.entries()) {
          const { we_say, since } = pureFact(field, one);
          expect(facts.get(ids[i] ?? 0)).toMatchObject({ we_say, since });
        }
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
