import pg from 'pg';
import { connectionConfig } from '../../packages/platform/src/database/index.ts';
import { command } from '../installation/command-line.ts';
import type { Installation } from '../installation/installation.ts';
import { until } from '../installation/until.ts';
import { type Outcome, outcome } from '../outcome.ts';

/** A decision is sealed within 10 s of its commit. */
const sealLimitMs = 15_000;

/** P13: the audit chain can be verified, and a record that was altered in the database is found and named. */
export async function judgeAudit(installation: Installation): Promise<Outcome> {
  const pool = new pg.Pool({ ...connectionConfig(installation.databaseUrl, { name: 'checker' }), max: 1 });
  pool.on('error', () => {});
  const verify = () => command(installation, 'audit', 'verify', '--brand', installation.brandCode);
  const broken: string[] = [];
  try {
    const open = 'select from gate_decision_seal where seal_no is null limit 1';
    await until('all decisions to be sealed', async () => (await pool.query(open)).rowCount === 0, {
      limitMs: sealLimitMs,
      everyMs: 250,
    }).catch(() => broken.push(`there are unsealed decisions after ${sealLimitMs / 1000} s`));
    const { rows } = await pool.query<{ decisions: number }>('select count(*)::int as decisions from gate_decision');
    const sound = await verify();
    if (sound.code !== 0) broken.push(`the chain does not verify: ${sound.out} ${sound.err}`);
    const altered = await pool.query<{ decision_id: string }>(
      `update gate_decision set outcome = case outcome when 'allowed' then 'withheld' else 'allowed' end
        where decision_id = (select decision_id from gate_decision order by random() limit 1) returning decision_id`,
    );
    const found = await verify();
    const id = String(altered.rows[0]?.decision_id);
    if (found.code === 0) broken.push(`decision ${id} was altered, but the chain still verifies`);
    else if (!found.out.includes(id)) broken.push(`decision ${id} was altered, but is not named: ${found.out}`);
    return outcome('P13', 'the audit chain verifies; an altered row is found', rows[0] ?? {}, broken);
  } finally {
    await pool.end();
  }
}
