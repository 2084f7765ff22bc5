import { Type } from 'typebox';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable } from '../routing/fields.ts';

const Key = Type.Object({
  api_key_id: Type.Integer(),
  name: Type.String(),
  declared: Type.Boolean({ description: 'Stands in the configuration file' }),
  created_at: Moment,
  revoked_at: Nullable(Moment),
});

export const listKeysEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/keys',
  tag: 'API keys',
  summary: 'The keys by which the operator publishes events, revoked ones included',
  may: 'key.manage',
  params: BrandParams,
  status: 200,
  answer: PageOf(Key),
});

export const createKeyEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/keys',
  tag: 'API keys',
  summary: 'Create a key; it is shown in this answer only',
  may: 'key.manage',
  conflict: 'The brand has a key of that name',
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
  summary: 'Revoke a key: every process refuses it within a second',
  may: 'key.manage',
  conflict: 'The key is declared in the configuration file: remove it there',
  params: Type.Object({ ...BrandParams.properties, api_key_id: Type.Integer() }),
  status: 204,
  answer: Type.Null(),
});
