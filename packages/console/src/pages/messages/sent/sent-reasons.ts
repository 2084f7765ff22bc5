import { gateReasons } from '../../gate-reasons.ts';

/** Reasons of messages that failed, are tried again, or have an unknown outcome. Most describe the answer of a provider, or its absence. */
const failures = [
  'no_such_address',
  'no_such_number',
  'opted_out',
  'refused',
  'sender_refused',
  'auth_failed',
  'account_refused',
  'wrong_url',
  'deferred',
  'rate_limited',
  'server_error',
  'redirected',
  'gone',
  'unclear',
  'unreachable',
  'connect_timeout',
  'tls_failed',
  'private_address',
  'metadata_address',
  'timeout',
  'cut',
  'cut_before',
  'lost',
  'not_sent',
  'not_built',
  'not_set_up',
] as const;

/** Reasons for which a message was dropped before its call, or waits. */
const dropReasons = [
  'expired',
  'provider_rate',
  'recalled',
  'campaign_recalled',
  'campaign_paused',
  'campaign_stopped',
  'bulk_cancelled',
  'no_address',
  'bad_address',
  'no_number',
  'bad_number',
  'erased',
] as const;

/** Every reason that an e-mail, an SMS, a webhook or a message by the operator's channel can have. */
export const sentReasons = [...failures, ...dropReasons, ...gateReasons];
