import Type, { type Static, type TSchema } from 'typebox';

export * from './player-records.ts';
export * from './push-records.ts';

/**
 * Records of the notification API (docs/reference/interface.md, Endpoints C, docs/reference/decisions.md 8). The names
 * are the interface's own, in PascalCase.
 */
const text = (description: string, more: object = {}) => Type.String({ description, ...more });
const siteTime = (description: string) =>
  text(`${description}: YYYY-MM-DD HH:MM:SS, UTC.`, {
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$',
  });

export const notificationEvents = ['message', 'shoutout', 'inbox'] as const;

export const notificationRecord = Type.Object({
  MessageId: Type.Integer({ description: 'Identifier of the notification.' }),
  UserId: Type.Integer({ description: "The platform's number of the player." }),
  Event: Type.Enum([...notificationEvents], {
    description: 'message: modal. shoutout: small banner. inbox: list entry.',
  }),
  DisplayType: Type.Optional(
    Type.Enum(['silent', 'push'], {
      description: 'Only for the event inbox: push shows a hint on arrival, silent only increases the count.',
    }),
  ),
  Title: text('Title.'),
  Message: text('Message; may contain HTML.'),
  PreviewText: text('Preview, no HTML.'),
  FooterText: text('Footer; may contain HTML.'),
  Data: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: "Extra fields for the site's own use." }),
  CTAButtonLink: text('Address behind the first button.'),
  CTAButtonText: text('Text of the first button.'),
  CTAButton2Link: text('Address behind the second button.'),
  CTAButton2Text: text('Text of the second button.'),
  ImageUrl: text('Address of an image.'),
  IsRead: Type.Boolean({ description: 'Whether the player has read it.' }),
  Date: siteTime('Sent'),
  Expires: siteTime('Expires'),
});
export type NotificationRecord = Static<typeof notificationRecord>;

export const envelopeError = Type.Object({
  Message: text('Error message for people.'),
  Error: text('Error code for programs.'),
  ErrorCodeID: Type.Integer({ description: 'Number of the error.' }),
});
export type EnvelopeError = Static<typeof envelopeError>;

/** Every answer of the notification API. The three members are always present. */
export interface Envelope<T> {
  Data: T;
  Success: boolean;
  Errors: EnvelopeError[];
}

export function envelopeOf<S extends TSchema>(data: S) {
  return Type.Object({
    Data: data,
    Success: Type.Boolean({ description: 'False if Errors has entries, otherwise true.' }),
    Errors: Type.Array(envelopeError),
  });
}

/** A string of digits is also accepted (docs/reference/decisions.md 1: tolerant in form). */
export const markAsReadRequest = Type.Object({
  MessageId: Type.Union(
    [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^[1-9][0-9]{0,15}$' })],
    { description: 'The notification that was read.' },
  ),
});
export type MarkAsReadRequest = Static<typeof markAsReadRequest>;

/**
 * An addition of the platform to the interface. A message that arrived after the player clicked the button stays
 * unread, because the player did not see it.
 */
export const markAllAsReadRequest = Type.Object({
  UpTo: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'MessageId of the newest inbox notification that the player sees. Newer notifications stay unread.',
    examples: [1201],
  }),
});

/** The maximum number of items in one call of `MessageActivity`. This is also the maximum number of messages in a list. */
export const mostMessageActivities = 100;

export const messageActivityRequest = Type.Object({
  Items: Type.Array(
    Type.Object({
      MessageId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The notification.' }),
      Activity: Type.Enum(['shown', 'clicked', 'closed'], {
        description:
          'shown: it was on the screen, as a modal, banner, hint or entry of an open inbox. clicked: the player followed one of its buttons or links; this also marks it as read. closed: the player closed the modal, banner or hint without following it.',
      }),
    }),
    { minItems: 1, maxItems: mostMessageActivities, description: 'Activities, in any order.' },
  ),
});
export type MessageActivityRequest = Static<typeof messageActivityRequest>;

export const siteConfig = Type.Object({
  crmUrl: text('Base address of the notification API.'),
  fusionUrl: text('The same address.'),
  prismaUrl: text('The same address.'),
  pusherKey: text('Key of the socket.'),
  pusherRegion: text('Region of the socket. It has no effect.'),
  wsHost: text('Host of the socket.'),
  wsPort: Type.Integer({ description: 'Port of the socket.' }),
  forceTLS: Type.Boolean({ description: 'Whether the socket requires TLS.' }),
});
export type SiteConfig = Static<typeof siteConfig>;

export const loginResult = Type.Object({
  Authentication: Type.Object({
    IsAuthenticated: Type.Boolean(),
    AuthToken: text('Can replace the session id in every call. Valid for an hour.'),
  }),
  User: Type.Object({
    UserId: Type.Integer({ description: "The platform's number of the player." }),
    BrandId: Type.Integer({ description: "The platform's number of the brand." }),
    IsTestUser: Type.Boolean(),
    Channel: Type.Optional(text("Name of the player's channel. Present if the brand has its own channel prefix.")),
    SupportEmail: Type.Optional(
      text(
        'E-mail address for questions of players. Absent if the support contact of the brand is not an e-mail address.',
      ),
    ),
  }),
});
export type LoginResult = Static<typeof loginResult>;

export const channelAuthRequest = Type.Object({
  socket_id: text('Identifier of the socket.'),
  channel_name: text('private-crm-{BrandId}-{UserId}'),
});
export type ChannelAuthRequest = Static<typeof channelAuthRequest>;

export const channelAuthResult = Type.Object({ auth: text('Key and signature of the subscription.') });
export type ChannelAuthResult = Static<typeof channelAuthResult>;
