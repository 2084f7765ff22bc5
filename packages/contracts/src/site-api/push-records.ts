import Type, { type Static } from 'typebox';

/**
 * What a page, and the script that shows pushes, report about the player's devices (docs/reference/decisions.md 8; Web
 * Push, RFC 8030 and 8291).
 */

export const pushState = Type.Object({
  Enabled: Type.Boolean({ description: 'Whether the brand sends pushes.' }),
  PublicKey: Type.String({
    description:
      "The brand's VAPID key, base64url: `applicationServerKey` of the subscription. Empty if the brand sends no pushes.",
  }),
});
export type PushState = Static<typeof pushState>;

/** A subscription in the format of browsers, so its names are not in PascalCase. Other members are ignored. */
const Subscription = Type.Object(
  {
    endpoint: Type.String({ maxLength: 2_000, description: 'Address of the device at its push service.' }),
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 200, description: 'Public key of the device, base64url.' }),
      auth: Type.String({ maxLength: 100, description: 'Secret of the device, base64url.' }),
    }),
  },
  { description: '`PushSubscription.toJSON()`' },
);

const Token = Type.String({ maxLength: 100, description: 'Signed token, valid only for this call.' });

export const pushSubscriptionRequest = Type.Object({
  Subscription,
  PublicKey: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The key that the device subscribed with. Default: the previous key if the endpoint is known, else the current key from GET Crm/Push.',
    }),
  ),
});
export type PushSubscriptionRequest = Static<typeof pushSubscriptionRequest>;

/**
 * What the script that shows pushes needs when the browser assigns another endpoint to the device. At that time no page
 * is open.
 */
export const pushSubscriptionResult = Type.Object({
  Token,
  PublicKey: pushState.properties.PublicKey,
  BaseUrl: Type.String({ description: 'Base address of this API.' }),
});
export type PushSubscriptionResult = Static<typeof pushSubscriptionResult>;

export const pushRemovalRequest = Type.Object({
  Endpoint: Type.String({ maxLength: 2_000, description: '`endpoint` of the subscription.' }),
});
export type PushRemovalRequest = Static<typeof pushRemovalRequest>;

export const pushRenewalRequest = Type.Object({ Token, Subscription });
export type PushRenewalRequest = Static<typeof pushRenewalRequest>;

export const pushClickRequest = Type.Object({ Token });
export type PushClickRequest = Static<typeof pushClickRequest>;

/**
 * The content of a push, encrypted for the device alone. It is not a call of this API: the platform writes it, and the
 * platform's own script reads it. Names are short, because every byte counts.
 */
export interface PushPayload {
  /** Message id. It is also the tag, so that a device shows one notification instead of two. */
  id: number;
  title: string;
  body: string;
  /** The address that a click opens. Default: the site. */
  link?: string;
  image?: string;
  icon?: string;
  /** {notifications_base_url}, to which the script reports a click, with the token. */
  base: string;
  token: string;
}
