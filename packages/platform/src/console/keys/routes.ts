import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { createKey, KeyNameTaken, listKeys, revokeKey } from '../../brands/index.ts';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const Key = Type.Object({
  api_key_id: Type.Integer(),
  name: Type.String(),
  declared: Type.Boolean({ description: 'Declared in the configuration file' }),
  created_at: Moment,
  revoked_at: Nullable(Moment),
});

export const listKeysEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/keys',
  tag: 'API keys',
  summary: 'The keys with which the operator publishes events, including revoked ones',
  may: 'key.manage',
  params: BrandParams,
  status: 200,
  answer: PageOf(Key),
});

export const createKeyEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/keys',
  tag: 'API keys',
  summary: 'Create a key. Only this answer contains it',
  may: 'key.manage',
  conflict: 'The brand already has a key with this name',
  params: BrandParams,
  body: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Unique within the brand' }) },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Type.Object({ api_key_id: Type.Integer(), name: Type.String(), key: Type.String() }),
});

export const revokeKeyEndpoint = endpoint({
  method: 'DELETE',
  path: '/brands/:brand/keys/:api_key_id',
  tag: 'API keys',
  summary: 'Revoke a key. Every process refuses it within a second',
  may: 'key.manage',
  conflict: 'The key is declared in the configuration file. Remove it there',
  params: Type.Object({ ...BrandParams.properties, api_key_id: Type.Integer() }),
  status: 204,
  answer: Type.Null(),
});

export function keyRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, brands } = deps;

  serve(app, listKeysEndpoint, async ({ brand }) => ({
    items: (await listKeys(pool, brand.brand_id)).map((key) => ({
      ...key,
      created_at: momentText(key.created_at),
      revoked_at: momentTextOrNull(key.revoked_at),
    })),
    next: null,
  }));

  serve(app, createKeyEndpoint, async ({ access, brand, body }) => {
    const { key, api_key } = await transaction(pool, async (tx) => {
      const created = await createKey(tx, brand.brand_id, body.name);
      const subject = `api_key ${created.api_key.api_key_id}`;
      await record(deps, access, { action: 'key.created', brand, subject }, tx);
      return created;
    }).catch((error: unknown) => {
      if (error instanceof KeyNameTaken) throw new Refused('conflict', error.words);
      throw error;
    });
    // Only this answer contains the key, so an error of the refresh is ignored. Each process reads the keys again within a second anyway.
    await brands.refresh().catch(() => {});
    return { api_key_id: api_key.api_key_id, name: api_key.name, key };
  });

  serve(app, revokeKeyEndpoint, async ({ access, brand, params }) => {
    const key = (await listKeys(pool, brand.brand_id)).find((each) => each.api_key_id === params.api_key_id);
    if (key === undefined) throw notFound('key', params.api_key_id);
    if (key.declared) {
      // The next start would create the key again from the configuration file, so the revocation would not last.
      throw new Refused('conflict', {
        en: `the key ${key.name} is declared in the configuration file; remove it there`,
        de: `Der Schlüssel ${key.name} steht in der Konfigurationsdatei; entfernen Sie ihn dort`,
      });
    }
    const revoked = await transaction(pool, async (tx) => {
      const changed = await revokeKey(tx, brand.brand_id, key.api_key_id);
      const subject = `api_key ${key.api_key_id}`;
      if (changed) await record(deps, access, { action: 'key.revoked', brand, subject }, tx);
      return changed;
    });
    if (revoked) await brands.refresh();
    return null;
  });
}
