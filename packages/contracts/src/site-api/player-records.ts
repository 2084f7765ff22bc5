import Type, { type Static } from 'typebox';

/*
 * What the page of a signed-in player may call besides the notifications (docs/reference/decisions.md 8, "`Crm` also
 * has"). It tracks events, offers rewards and shows consents. Names are in PascalCase, as in the rest of the site API.
 */

const siteTime = (description: string) =>
  Type.String({
    description: `${description}: YYYY-MM-DD HH:MM:SS, UTC.`,
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$',
  });

/**
 * The maximum size of the JSON text of an event's data, in bytes. It is four times the data that the largest shop page
 * sends about a click.
 */
export const mostTrackedBytes = 8 * 1024;
/** The maximum depth of nested objects and lists. */
export const mostTrackedDepth = 5;

export const trackRequest = Type.Object({
  Name: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$',
    description: 'Name of the event: a letter, then letters, digits and _ . : -; at most 64 characters.',
  }),
  Data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: `Custom keys and values; at most ${mostTrackedBytes} bytes as JSON and ${mostTrackedDepth} levels deep.`,
    }),
  ),
  Id: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{8,64}$',
      description:
        'Chosen by the caller, preferably a UUID. A retry with the same id within 24 hours is the same event. Without an id, every call is a new event.',
    }),
  ),
});
export type TrackRequest = Static<typeof trackRequest>;

export const trackResult = Type.Object({ Id: Type.String({ description: 'Identifier of the event.' }) });
export type TrackResult = Static<typeof trackResult>;

/**
 * offered: the player may claim it. claimed: it was claimed and is being processed. credited: the operator credited it.
 */
export const rewardStates = ['offered', 'claimed', 'credited'] as const;

const RewardId = Type.String({ format: 'uuid', description: 'Identifier of the reward.' });

export const reward = Type.Object({
  Id: RewardId,
  Code: Type.String({ description: "The operator's bonus code." }),
  State: Type.Unsafe<'offered' | 'claimed'>(
    Type.Enum(['offered', 'claimed'], {
      description: 'offered: the player can claim it. claimed: it is being credited.',
    }),
  ),
  Amount: Type.Union([Type.String(), Type.Null()], {
    description: 'For funds: a decimal, exactly as offered. Null for a bonus.',
  }),
  Currency: Type.Union([Type.String(), Type.Null()], { description: 'Currency of the amount.' }),
  Date: siteTime('Offered'),
  Expires: Type.Union([siteTime('Until when it can be claimed'), Type.Null()], {
    description: 'Until when it can be claimed. Null: no limit.',
  }),
});
export type Reward = Static<typeof reward>;

export const claimRequest = Type.Object({ Id: RewardId });
export type ClaimRequest = Static<typeof claimRequest>;

export const claimResult = Type.Object({
  Id: RewardId,
  State: Type.Unsafe<'claimed' | 'credited'>(
    Type.Enum(['claimed', 'credited'], {
      description: 'claimed: being sent to the operator. credited: the operator has confirmed it.',
    }),
  ),
});
export type ClaimResult = Static<typeof claimResult>;

const ConsentType = Type.String({
  description: 'Email, SMS, Telephone, PostMail, SiteNotification or PushNotification. Letter case is ignored.',
});

export const consentState = Type.Object({
  Type: Type.String({ description: "The interface's name of the consent." }),
  OptedIn: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Null: the operator has reported no clear value. Messages that require this consent are then not sent.',
  }),
  AsOf: Type.Union([siteTime('Time of the value'), Type.Null()], { description: 'Time of the value.' }),
});
export type ConsentState = Static<typeof consentState>;

export const playerProfile = Type.Object({
  UserId: Type.Integer({ description: "The platform's number of the player." }),
  Consents: Type.Array(consentState, { description: 'One entry for each type of the interface.' }),
});
export type PlayerProfile = Static<typeof playerProfile>;

export const consentRequest = Type.Object({
  Type: ConsentType,
  OptedIn: Type.Boolean({ description: "The player's new choice." }),
});
export type ConsentRequest = Static<typeof consentRequest>;
