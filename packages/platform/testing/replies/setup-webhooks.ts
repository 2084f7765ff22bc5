import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import type { Brand } from '../../src/brands/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { FetchText } from '../../src/replies/providers/sns.ts';
import { replyRoutes } from '../../src/replies/routes.ts';
import { testVault } from '../brand.ts';
import { testTokens } from '../channels/email/setup-email.ts';
import type { TestClock } from '../clock.ts';
import { testLog } from '../log.ts';
import type { setupIngest } from './setup-ingest.ts';

/** The routes of replies on a real port. */
export async function serveWebhooks(
  { pool, ingest }: Pick<Awaited<ReturnType<typeof setupIngest>>, 'pool' | 'ingest'>,
  { brand, clock, fetchText }: { brand: Brand; clock: TestClock; fetchText?: FetchText },
) {
  const app = await createHttpServer({ edge: () => false, log: testLog });
  await app.register(
    replyRoutes({
      pool,
      clock: clock.now,
      log: testLog,
      vault: testVault,
      brands: { byCode: (code) => (code === brand.code ? brand : undefined) },
      publicUrl: 'https://crm.example',
      tokens: testTokens,
      ingest,
      ...(fetchText && { fetchText }),
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/channels/${brand.code}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) };
  };
}
