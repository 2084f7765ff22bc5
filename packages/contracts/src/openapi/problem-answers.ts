import Type from 'typebox';
import type { Answer } from '../calls/call.ts';
import type { FieldError } from '../field-error.ts';
import { type ProblemCode, problem, problemContentType, problems } from '../problems.ts';

export const fieldErrorSchema = Type.Object({
  path: Type.String({
    description: 'The invalid field, such as tickets[0].ticket_id. Empty if the whole body is invalid.',
  }),
  rule: Type.String({ description: 'Name of the violated rule.' }),
  message: Type.String({ description: 'The field, the rule and the fix in one sentence.' }),
});

export const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'urn:croupier:problem:<code>' }),
    code: Type.Enum(Object.keys(problems) as ProblemCode[], {
      description: 'Stable code; docs/errors.md explains each.',
    }),
    title: Type.String({ description: 'Summary of the problem.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'Details of this case, or what to do. For people; the wording may change.' }),
    errors: Type.Array(fieldErrorSchema, { description: 'Each invalid field. Empty if no field is invalid.' }),
  },
  { description: 'A problem answer (RFC 9457).' },
);

/** One problem answer of an operation. All its codes have the same status. */
export function problemAnswer(
  description: string,
  codes: Partial<Record<ProblemCode, readonly FieldError[]>>,
  headers: readonly string[] = [],
): Answer {
  const entries = Object.entries(codes) as [ProblemCode, readonly FieldError[]][];
  const samples = Object.fromEntries(entries.map(([code, errors]) => [code, problem(code, { errors })]));
  const [first] = Object.values(samples);
  if (first === undefined) throw new TypeError('a problem answer requires at least one code');
  return {
    status: first.status,
    description,
    contentType: problemContentType,
    schema: problemSchema,
    schemaName: 'Problem',
    samples,
    headers,
  };
}
