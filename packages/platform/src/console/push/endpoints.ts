import { Type } from 'typebox';
import { deliveryStates, maxDevices, maxFormerPairs } from '../../channels/index.ts';
import { PageOf, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, Nullable, PlayerParams } from '../routing/fields.ts';

const tag = 'Messages';
const State = Type.Enum([...deliveryStates], {
  description: 'unknown: it may have arrived, so it is not sent again; dropped: not wanted or not allowed any more',
});
const Reason = Nullable(
  Type.String({
    description:
      'no_device, push_off, unsubscribed, logout, moved, gone, key_revoked, read, deleted, withdrawn, expired; of the gate: excluded, blocked, no_consent, ...; of the push service: rate_limited, server_error, unreachable, connect_timeout, invalid, too_large, vapid_refused, redirected, private_address; lost, timeout, cut; keys_unreadable',
  }),
);
const Host = Nullable(Type.String({ description: 'Of the push service; its address is a secret of the device' }));

const Delivery = Type.Object({
  delivery_id: Type.Integer(),
  message_id: Type.Integer(),
  user_id: Nullable(Type.String()),
  state: State,
  reason: Reason,
  host: Host,
  status: Nullable(Type.Integer({ description: 'What the push service answered last' })),
  detail: Nullable(
    Type.String({ description: 'And said, or why the call failed; null for callers who may not see it' }),
  ),
  attempts: Type.Integer(),
  created_at: Moment,
  expires_at: Type.String({ format: 'date-time', description: 'Nothing is sent after it' }),
  due_at: Nullable(Type.String({ format: 'date-time', description: 'When it is tried again' })),
  sent_at: Nullable(Type.String({ format: 'date-time', description: 'When the last call began' })),
  ended_at: Nullable(Moment),
  clicked_at: Nullable(Moment),
});

export const listPushDeliveries = endpoint({
  method: 'GET',
  path: '/brands/:brand/push-deliveries',
  tag,
  summary: 'Messages on their way to devices, one entry per message and device, the newest first',
  description: 'Kept for 90 days after their end. A page is looked for among the next 100,000.',
  may: 'player.read',
  params: BrandParams,
  query: Type.Object(
    {
      user_id: Type.Optional(Type.String()),
      message_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      state: Type.Optional(State),
      reason: Type.Optional(Type.String()),
      ...pageQuery,
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: PageOf(Delivery),
});

const Pair = Type.Object({
  key_id: Type.Integer(),
  public_key: Type.String({ description: 'What devices subscribe with' }),
  created_at: Moment,
  replaced_at: Nullable(
    Type.String({ format: 'date-time', description: 'Null: the current pair, with which devices subscribe' }),
  ),
  revoked_at: Nullable(Type.String({ format: 'date-time', description: 'Nothing is signed with it; its devices go' })),
  readable: Type.Boolean({ description: 'False: it was sealed with another CROUPIER_SECRET, and signs nothing' }),
  devices: Type.Integer({ description: 'Counted up to 10,000' }),
});

export const showPush = endpoint({
  method: 'GET',
  path: '/brands/:brand/push',
  tag,
  summary: 'Push of a brand: its devices, and what became of the pushes of the last 24 hours',
  may: 'brand.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    enabled: Type.Boolean(),
    devices: Type.Integer({ description: 'Counted up to 10,000' }),
    keys: Type.Array(Pair, { description: 'Pairs of push keys: the current one, then former ones that devices use' }),
    counts: Type.Array(
      Type.Object({ state: State, reason: Reason, host: Host, count: Type.Integer(), oldest_at: Moment }),
      { description: 'Of the newest 100,000, the most frequent 100' },
    ),
  }),
});

export const rotatePushKeys = endpoint({
  method: 'POST',
  path: '/brands/:brand/push-keys',
  tag,
  summary: 'Make a new pair of push keys: devices subscribe with it from now on, in every process within two seconds',
  description: `Devices of former pairs are pushed to as before until their pages are viewed again; they subscribe anew then, and no player is asked. Pairs that cannot be read with the CROUPIER_SECRET of now are revoked. With ${maxFormerPairs} former pairs still there it is refused, unless they are revoked.`,
  may: 'key.manage',
  conflict: 'The present keys cannot be replaced now; the detail says why',
  params: BrandParams,
  body: Type.Object(
    {
      revoke: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'For a key that has leaked: all former pairs are revoked, and their devices get no more pushes',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Type.Object({
    key_id: Type.Integer(),
    public_key: Type.String(),
    created_at: Moment,
    devices_kept: Type.Integer({ description: 'Pushed to with their former pairs until they come back' }),
    devices_dropped: Type.Integer({ description: 'Revoked now: no more pushes until they come back' }),
  }),
});

export const listPushDevices = endpoint({
  method: 'GET',
  path: '/brands/:brand/players/:user_id/push-devices',
  tag,
  summary: `Devices that a player subscribed, the most recently seen first; ${maxDevices} at most`,
  may: 'player.read',
  params: PlayerParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        subscription_id: Type.Integer(),
        host: Type.String({ description: 'Of the push service' }),
        created_at: Moment,
        seen_at: Type.String({ format: 'date-time', description: 'When a signed-in page confirmed it last' }),
      }),
    ),
  }),
});
