import { type BrandDeclaration, newKey, readDeclaration } from '../brands/index.ts';
import { keepSecret } from '../kept-secret.ts';

/** The brand of a first look, with the sandbox's operator behind it unless that is switched off. */
export interface DemoBrand {
  declaration: BrandDeclaration;
  /** By which the sandbox, or whoever tries the API, publishes. */
  key: string;
  /** Which the sandbox's operator asks for. */
  operator_key: string;
  /** Null: no sandbox. */
  sandbox_url: string | null;
}

export const demoCode = 'demo';

export async function demoBrand(dataDir: string, sandboxPort: number | null): Promise<DemoBrand> {
  const key = await keepSecret(dataDir, 'demo-key', newKey);
  const operatorKey = await keepSecret(dataDir, 'demo-operator-key');
  const sandboxUrl = sandboxPort === null ? null : `http://127.0.0.1:${sandboxPort}`;
  const reading = readDeclaration(
    {
      code: demoCode,
      name: 'Demo Casino',
      time_zone: 'Europe/Malta',
      api_keys: [{ name: 'main', key }],
      ...(sandboxUrl === null
        ? {}
        : { operator: { base_url: `${sandboxUrl}/operator`, auth: { type: 'api_key', value: operatorKey } } }),
    },
    'demo',
  );
  if (!reading.ok) throw new Error(`the demo brand is not valid: ${JSON.stringify(reading.errors)}`);
  return { declaration: reading.declaration, key, operator_key: operatorKey, sandbox_url: sandboxUrl };
}
