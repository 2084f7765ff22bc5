import type { Pool } from 'pg';
import { testVault } from '../../../test/brand.ts';
import type { Clock } from '../../clock.ts';
import { BrandPushKeys, PushTokens } from './index.ts';

/** For tests: what the site API and the sender share. */
export function testPush({ pool, clock }: { pool: Pool; clock: Clock }) {
  return {
    vault: testVault,
    keys: new BrandPushKeys({ pool, vault: testVault, clock }),
    tokens: new PushTokens({ secrets: ['a secret for tests'] }),
  };
}
