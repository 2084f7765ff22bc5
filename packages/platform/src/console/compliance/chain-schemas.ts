import { Type } from 'typebox';
import type { ChainHead, WalkOptions } from '../../sealing/index.ts';
import { Nullable } from '../routing/fields.ts';

/** Common parts of the calls that verify a chain. A call verifies for at most 20 seconds. The next call continues from there. */

export const Head = Type.Object({
  seal_no: Type.Integer({ minimum: 1 }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

export const VerificationBody = Type.Object(
  {
    after: Type.Optional(Type.Object(Head.properties, { description: '`head` of the previous call' })),
    searched_to: Type.Optional(Type.Integer({ minimum: 0, description: '`searched_to` of the previous call' })),
    expect: Type.Optional(
      Type.Object(Head.properties, { description: 'A head that you stored earlier. The chain must still contain it' }),
    ),
  },
  { additionalProperties: false },
);

export const verification = {
  complete: Type.Boolean(),
  seals: Type.Integer({ description: 'Number verified by this call' }),
  head: Nullable(Head),
} as const;

export const continuing =
  'A call verifies for at most 20 seconds. If `complete` is false and there is no finding, call again with `after` set to `head`, and with the returned `searched_to` if it is not null.';

/** Less than 30 s, after which proxies end a call. */
const verifyMs = 20_000;

interface GivenHead {
  seal_no: number;
  hash: string;
}

export function walkOptions(body: {
  after?: GivenHead | undefined;
  expect?: GivenHead | undefined;
  searched_to?: number | undefined;
}): WalkOptions {
  const end = performance.now() + verifyMs;
  return {
    after: headOf(body.after),
    expect: headOf(body.expect),
    searched_to: body.searched_to,
    until: () => performance.now() > end,
  };
}

function headOf(given: GivenHead | undefined): ChainHead | undefined {
  return given && { seal_no: given.seal_no, hash: Buffer.from(given.hash, 'hex') };
}

export function presentHead(head: ChainHead | null): GivenHead | null {
  return head && { seal_no: head.seal_no, hash: head.hash.toString('hex') };
}
