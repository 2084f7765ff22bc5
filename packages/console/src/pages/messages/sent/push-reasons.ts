import { gateReasonsWithoutAddress } from '../../gate-reasons.ts';

/** Reasons of pushes that failed or are tried again. Most describe the answer of a push service, or its absence. */
const failures = [
  'vapid_refused',
  'invalid',
  'too_large',
  'rate_limited',
  'server_error',
  'redirected',
  'refused',
  'unreachable',
  'connect_timeout',
  'private_address',
  'timeout',
  'cut',
  'lost',
  'not_sent',
  'keys_unreadable',
] as const;

/** Reasons for which a push was dropped before its call. */
const dropReasons = [
  'no_device',
  'push_off',
  'unsubscribed',
  'logout',
  'moved',
  'gone',
  'key_revoked',
  'read',
  'deleted',
  'withdrawn',
  'expired',
  'campaign_stopped',
  'bulk_cancelled',
] as const;

/** Every reason that a push can have. */
export const pushReasons = [...failures, ...dropReasons, ...gateReasonsWithoutAddress];
