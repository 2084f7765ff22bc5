import { Type } from 'typebox';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment } from '../routing/fields.ts';

const Entry = Type.Object({
  at: Moment,
  actor: Type.String({ description: "E-mail of the account, or 'admin token'" }),
  action: Type.String({ examples: ['quarantine.reinjected'] }),
  subject: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
});

const listing = {
  tag: 'Audit',
  status: 200,
  answer: PageOf(Entry),
  query: Type.Object(pageQuery, { additionalProperties: false }),
} as const;

export const listBrandAudit = endpoint({
  ...listing,
  method: 'GET',
  path: '/brands/:brand/audit',
  summary: 'What people changed at a brand, newest first',
  may: 'audit.read',
  params: BrandParams,
});

export const listAccountAudit = endpoint({
  ...listing,
  method: 'GET',
  path: '/audit',
  summary: 'What people changed at console accounts, newest first',
  may: 'account.manage',
});
