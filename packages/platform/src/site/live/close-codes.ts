/*
 * Why a socket is closed, in the codes of the Pusher protocol. Its clients act according to the range:
 *
 *   4000-4099  they do not reconnect automatically: the same would happen again
 *   4100-4199  they reconnect after a second or more
 *   4200-4299  they reconnect immediately
 *
 * The code and its message are sent twice: as a `pusher:error` and with the close, because not every client reports both.
 */
export const closes = {
  unknown_key: [4001, 'Unknown app key. Use the code of a brand.'],
  wrong_origin: [4003, 'This origin is not listed for the brand (setting site_origins).'],
  unknown_path: [4005, 'The path is /app/<key>.'],
  wrong_version: [4006, 'The protocol must be a whole number.'],
  unsupported_protocol: [4007, 'Only version 7 of the protocol is supported.'],
  missing_protocol: [4008, 'The parameter protocol is missing: protocol=7.'],
  session_ended: [4009, 'The session of the player has ended.'],
  refused_often: [4009, 'Too many of its messages were refused.'],
  too_many_frames: [4009, 'Too many messages.'],
  process_full: [4100, 'This process has reached its limit of sockets.'],
  address_full: [4100, 'This address has reached its limit of sockets.'],
  unavailable: [4100, 'The database is unavailable.'],
  slow_consumer: [4100, 'The client does not read its messages.'],
  going_away: [4200, 'This process is stopping. Connect again.'],
  authorize_again: [4200, 'The session must be authenticated again. Connect and subscribe again.'],
  list_again: [4200, 'Messages may have been missed. Connect and list again.'],
  too_old: [4200, 'The socket is too old for a new subscription.'],
  no_pong: [4201, 'No answer to a ping.'],
  inactive: [4202, 'No channel was subscribed to.'],
} as const satisfies Record<string, readonly [code: number, message: string]>;

export type CloseReason = keyof typeof closes;
