import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { findSuppression, suppress, suppressionReasons, unsuppress } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Moment, momentTextOrNull, Nullable } from '../routing/fields.ts';

/** Why an address or number is suppressed, or no longer suppressed. */
export const Note = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 300,
    pattern: '\\S',
    description: 'The reason, for the staff audit. Do not write personal data into it: the audit keeps it',
  }),
);

/** What the list says about an address or number. */
export const Suppressed = Type.Object({
  suppressed: Type.Boolean(),
  reason: Nullable(
    Type.Enum([...suppressionReasons], {
      description:
        'The first reason is kept, but a complaint or the staff replaces a bounce. bounced: the provider reported that it cannot receive messages',
    }),
  ),
  detail: Nullable(Type.String({ description: "The provider's message, without the address or number" })),
  added_at: Nullable(Moment),
  added_by: Nullable(Type.String()),
});

/** What each list contains, as the audit names it. */
const contents = { email: 'address', sms: 'number' } as const;

interface Change {
  access: Access;
  brand: Brand;
  /** The address or number. Neither the list nor the audit contains it, only a keyed hash. */
  contact: string;
  note: string | undefined;
}

/** The e-mail addresses or mobile numbers that get no messages, whichever players have them. Changes are in the staff audit. */
export class SuppressionList {
  readonly #deps: ConsoleDeps;
  readonly #channel: keyof typeof contents;

  constructor(deps: ConsoleDeps, channel: keyof typeof contents) {
    this.#deps = deps;
    this.#channel = channel;
  }

  async find(brand: Brand, contact: string) {
    const found = await findSuppression(this.#deps.pool, this.#keyOf(brand, contact));
    return {
      suppressed: found !== null,
      reason: found?.reason ?? null,
      detail: found?.detail ?? null,
      added_at: momentTextOrNull(found?.added_at ?? null),
      added_by: found?.added_by ?? null,
    };
  }

  async add(change: Change) {
    const { access, brand, contact } = change;
    const { pool, clock } = this.#deps;
    const key = this.#keyOf(brand, contact);
    const entry = { reason: 'staff', detail: null, added_at: clock(), added_by: access.actor } as const;
    await transaction(pool, async (tx) => {
      if (await suppress(tx, key, entry))
        await record(this.#deps, access, { action: `${this.#channel}.suppressed`, ...this.#audited(change) }, tx);
    });
    return this.find(brand, contact);
  }

  async remove(change: Change) {
    const { access, brand, contact } = change;
    return transaction(this.#deps.pool, async (tx) => {
      const removed = await unsuppress(tx, this.#keyOf(brand, contact));
      if (removed)
        await record(this.#deps, access, { action: `${this.#channel}.unsuppressed`, ...this.#audited(change) }, tx);
      return { removed };
    });
  }

  #keyOf({ brand_id }: Brand, contact: string) {
    return { brand_id, address_key: this.#deps.push.vault.addressKey(brand_id, contact) };
  }

  #audited({ brand, contact, note }: Change) {
    const hash = this.#keyOf(brand, contact).address_key.toString('hex').slice(0, 16);
    const subject = `${contents[this.#channel]} ${hash}`;
    return { brand, subject, ...(note !== undefined && { details: { reason: note } }) };
  }
}
