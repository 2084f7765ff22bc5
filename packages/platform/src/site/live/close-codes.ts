/*
 * Why a socket is closed, in the codes of the Pusher protocol. Its clients act according to the range:
 *
 *   4000-4099  they do not reconnect by themselves: the same would happen again
 *   4100-4199  they reconnect after a second or more
 *   4200-4299  they reconnect at once
 *
 * The code and its message are sent twice: as a `pusher:error` and with the close, because not every client reports both.
 */
export const closes = {
  unknown_key: [4001, 'There is no app with this key: it is the code of a brand.'],
  wrong_origin: [4003, 'This origin is not listed for the brand (setting site_origins).'],
  unknown_path: [4005, 'The path is /app/<key>.'],
  wrong_version: [4006, 'The protocol must be a whole number.'],
  unsupported_protocol: [4007, 'Only version 7 of the protocol is spoken here.'],
  missing_protocol: [4008, 'The parameter protocol is missing: protocol=7.'],
  session_ended: [4009, 'The session of the player has ended.'],
  refused_often: [4009, 'Too much of what it sent was refused.'],
  too_many_frames: [4009, 'Too many messages.'],
  process_full: [4100, 'As many sockets as this process takes are open.'],
  address_full: [4100, 'As many sockets as one address may have are open.'],
  unavailable: [4100, 'The database cannot be asked now.'],
  slow_consumer: [4100, 'What was sent is not being read.'],
  going_away: [4200, 'This process is stopping; others go on.'],
  authorise_again: [4200, 'The session has to be proved again: connect and subscribe anew.'],
  list_again: [4200, 'Something may have been missed: connect and list again.'],
  too_old: [4200, 'The socket is too old for a new subscription.'],
  no_pong: [4201, 'No answer to a ping.'],
  inactive: [4202, 'No channel was subscribed to.'],
} as const satisfies Record<string, readonly [code: number, message: string]>;

export type CloseReason = keyof typeof closes;
