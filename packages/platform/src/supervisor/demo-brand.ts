import { type BrandDeclaration, newKey, readDeclaration } from '../brands/index.ts';
import { keepSecret } from '../kept-secret.ts';

/** The demo brand of a first start, with the sandbox's operator, unless the sandbox is switched off. */
export interface DemoBrand {
  declaration: BrandDeclaration;
  /** The key with which the sandbox, or a person who tries the API, publishes events. */
  key: string;
  /** The key that the sandbox's operator requires. */
  operator_key: string;
  /** Null without the sandbox. */
  sandbox_url: string | null;
  /** The fixed session for debugging in a browser's console (docs/reference/interface.md, Endpoints D, rule 4). */
  test_user: { sid: string; user_id: string };
}

export const demoCode = 'demo';

export async function demoBrand(dataDir: string, sandboxPort: number | null): Promise<DemoBrand> {
  const key = await keepSecret(dataDir, 'demo-key', newKey);
  const operatorKey = await keepSecret(dataDir, 'demo-operator-key');
  const sandboxUrl = sandboxPort === null ? null : `http://127.0.0.1:${sandboxPort}`;
  const testUser = { sid: await keepSecret(dataDir, 'demo-test-sid'), user_id: 'test-1' };
  const reading = readDeclaration(
    {
      code: demoCode,
      name: 'Demo Casino',
      time_zone: 'Europe/Malta',
      api_keys: [{ name: 'main', key }],
      test_user: testUser,
      ...(sandboxUrl === null
        ? {}
        : {
            // The casino's page under both names of this machine.
            site_origins: [sandboxUrl, `http://localhost:${sandboxPort}`],
            operator: { base_url: `${sandboxUrl}/operator`, auth: { type: 'api_key', value: operatorKey } },
          }),
    },
    'demo',
  );
  if (!reading.ok) throw new Error(`the demo brand is not valid: ${JSON.stringify(reading.errors)}`);
  return {
    declaration: reading.declaration,
    key,
    operator_key: operatorKey,
    sandbox_url: sandboxUrl,
    test_user: testUser,
  };
}
