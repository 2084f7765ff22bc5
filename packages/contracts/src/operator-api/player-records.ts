import Type, { type Static } from 'typebox';

/**
 * The records that an operator returns about a player (docs/reference/interface.md, Resources). These schemas state
 * what operators should send. The platform validates the real answers field by field (docs/reference/decisions.md 4),
 * and never refuses them as a whole.
 */
const text = (description: string, more: object = {}) => Type.String({ description, ...more });
const time = (description: string) => text(description, { format: 'date-time' });

export const userDetails = Type.Object(
  {
    user_id: text('Identifier of the player.', { minLength: 1 }),
    username: text('Username.'),
    title: text('Title.'),
    first_name: text('First name.'),
    last_name: text('Last name.'),
    sex: text('Sex.'),
    birth_date: text('YYYY-MM-DD, or empty.', { pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2})?$' }),
    email: text('E-mail address.'),
    mobile_prefix: text('Country calling code, with or without +.'),
    mobile: text('Mobile number.'),
    address: text('Address; may be empty.'),
    postal_code: text('Postal code.'),
    city: text('City.'),
    country: text('Country of registration, ISO 3166 alpha-2.'),
    language: text('Language, BCP 47.'),
    currency: text("The player's currency, ISO 4217."),
    market: text('Market, as named by the operator.'),
    origin: text('Label of the operator site.'),
    is_blocked: Type.Boolean({ description: 'The player is blocked.' }),
    is_excluded: Type.Boolean({ description: 'The player is excluded.' }),
    roles: Type.Array(Type.String(), { description: 'Roles; may be empty.' }),
    registration_code: text('Registration code.'),
    registration_date: Type.Optional(time('Time of registration.')),
    verified_at: Type.Optional(time('When the player activated the account or completed KYC.')),
    affiliate_reference: text('Reference of the affiliate.'),
    segmentation: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'Custom keys, by agreement. May be empty.',
      }),
    ),
  },
  { description: 'Every required string is present. It may be empty.' },
);
export type UserDetails = Static<typeof userDetails>;

export const consentTypes = ['Email', 'SMS', 'Telephone', 'PostMail', 'SiteNotification', 'PushNotification'] as const;
export type ConsentType = (typeof consentTypes)[number];

export const consentItem = Type.Object({
  type: Type.Enum([...consentTypes], { description: 'Channel.' }),
  opted_in: Type.Boolean({ description: 'True if the player has opted in to the channel.' }),
});
export type ConsentItem = Static<typeof consentItem>;

export const consentsRecord = Type.Object({ consents: Type.Array(consentItem) });
export type ConsentsRecord = Static<typeof consentsRecord>;

export const blockTypes = ['Excluded', 'Blocked'] as const;
export type BlockType = (typeof blockTypes)[number];

export const blockItem = Type.Object({
  type: Type.Enum([...blockTypes], {
    description: 'Excluded: self-exclusion or responsible gambling. Blocked: other reasons.',
  }),
  active: Type.Boolean({ description: 'Whether the block is in force.' }),
  note: Type.Optional(text('Reason.')),
});
export type BlockItem = Static<typeof blockItem>;

export const blocksRecord = Type.Object({ blocks: Type.Array(blockItem) });
export type BlocksRecord = Static<typeof blocksRecord>;
