import Type, { type Static } from 'typebox';

/**
 * What the platform sends to an operator, and the short answers it gets (docs/reference/interface.md, Endpoints A,
 * docs/reference/decisions.md 4).
 */
const id = (description: string) => Type.String({ minLength: 1, description });

export const bonusCredit = Type.Object(
  { user_id: id('Identifier of the player.'), bonus_code: id('Code of the bonus.') },
  { description: 'Additional fields by agreement, such as validity_amount.' },
);
export type BonusCredit = Static<typeof bonusCredit>;

export const bonusCreditFunds = Type.Object({
  user_id: id('Identifier of the player.'),
  bonus_code: id('Code of the bonus.'),
  amount: Type.Number({ exclusiveMinimum: 0, description: 'Funds to add to the wallet.' }),
  currency: id('Currency of the amount, ISO 4217.'),
});
export type BonusCreditFunds = Static<typeof bonusCreditFunds>;

export const reconciliationFields = [
  'blocked',
  'excluded',
  'active',
  'consent_email',
  'consent_sms',
  'consent_telephone',
  'consent_post_mail',
  'consent_site_notification',
  'consent_push_notification',
] as const;
export type ReconciliationField = (typeof reconciliationFields)[number];

export const reconciliationRequest = Type.Object({
  field: Type.Enum([...reconciliationFields], {
    description: 'The key. The answer lists all players for whom it is true.',
  }),
});
export type ReconciliationRequest = Static<typeof reconciliationRequest>;

export const reconciliationResult = Type.Object({
  users: Type.Optional(
    Type.Array(Type.String(), { description: 'Identifiers of the players for which the key is true.' }),
  ),
  timestamp: Type.Optional(Type.String({ format: 'date-time', description: 'Time of the result.' })),
  error: Type.Optional(
    Type.String({ description: 'Present if producing the result failed after status 200 was sent.' }),
  ),
});
export type ReconciliationResult = Static<typeof reconciliationResult>;

export const authenticateRequest = Type.Object({ sid: id("The session id of the player's browser.") });
export type AuthenticateRequest = Static<typeof authenticateRequest>;

export const authenticateResult = Type.Object({
  user_id: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    description: 'The player that the session belongs to.',
  }),
});
export type AuthenticateResult = Static<typeof authenticateResult>;

export const bonusList = Type.Object({
  Data: Type.Array(
    Type.Object({
      text: Type.String({ description: 'Name of the bonus.' }),
      value: Type.String({ description: 'Its bonus_code.' }),
    }),
  ),
  Success: Type.Boolean(),
  Errors: Type.Array(Type.Unknown()),
});
export type BonusList = Static<typeof bonusList>;
