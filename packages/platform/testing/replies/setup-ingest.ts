import { afterAll } from 'vitest';
import { Committer } from '../../src/ingest/index.ts';
import { setupStage } from '../derive/stage.ts';
import { testLog } from '../log.ts';

/**
 * A stage of derive whose ledger accepts events as an api process does. `fail`: makes the ledger unavailable until it is called
 * with false.
 */
export async function setupIngest() {
  const stage = await setupStage();
  const committer = new Committer({ ledger: stage.ledger, log: testLog });
  await committer.start();
  afterAll(() => committer.stop());
  let away = false;
  const add: Committer['add'] = (entry, done) => (away ? done('away') : committer.add(entry, done));
  const ingest = { committer: { add } as Committer };
  return {
    ...stage,
    ingest,
    fail: (isAway: boolean) => {
      away = isAway;
    },
  };
}
