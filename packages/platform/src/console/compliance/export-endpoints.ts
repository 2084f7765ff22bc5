import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams } from '../routing/fields.ts';
import { decisionFilters } from './decision-endpoints.ts';

const File = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));

const exported = {
  method: 'GET',
  tag: 'Compliance',
  description:
    'Oldest first, of any length: streamed, and written to the audit. docs/guides/compliance.md tells how to check the proofs.',
  may: 'decision.export',
  params: BrandParams,
  query: Type.Object(decisionFilters, { additionalProperties: false }),
  status: 200,
} as const;

export const exportCsv = endpoint({
  ...exported,
  path: '/brands/:brand/decisions/export.csv',
  summary: 'Decisions of a player or a period with their proofs, as CSV',
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: File('RFC 4180, with a head line'),
});

export const exportJsonLines = endpoint({
  ...exported,
  path: '/brands/:brand/decisions/export.jsonl',
  summary: 'Decisions of a player or a period with their proofs, as JSON lines',
  contentType: 'application/jsonl; charset=utf-8',
  answer: File('Lines of type `seal`, `decision`, and at last `end`: a file without it was cut off'),
});
