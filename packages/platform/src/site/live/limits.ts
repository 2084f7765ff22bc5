/** What one api process takes; the first three are settings of the installation (`sockets` in the configuration file). */
export interface SocketLimits {
  /** Sockets in all. */
  max: number;
  /** From one address, or one /64 of IPv6. Behind a proxy that is not trusted, all players share the proxy's. */
  max_per_address: number;
  /** Subscribed ones of one player: open tabs and devices. */
  max_per_player: number;
}

/** Told to clients: they ping when they have heard nothing for so long. */
export const activityTimeoutSeconds = 120;
/** Clients are faster, so that we ping only those that never do. */
export const pingAfterMs = (activityTimeoutSeconds + 10) * 1_000;
/** To answer a ping. */
export const pongWithinMs = 30_000;
/**
 * A socket without a channel serves nobody. Public clients ask for the proof once per connection: one whose call met a process that was
 * ending would stay without a channel, and deaf, for as long as its socket stands; closed with 4202 it comes back at once and asks anew.
 */
export const subscribeWithinMs = 60_000;
/** How often the three above are looked at. */
export const sweepMs = 5_000;

/** Bytes of one message from a client: a subscription has some 200. A longer one closes the socket (1009). */
export const maxFrameBytes = 4_096;
/** Messages from a client in a `frameWindowMs`; a library sends three to subscribe, then a ping every two minutes. */
export const maxFrames = 50;
export const frameWindowMs = 10_000;
/**
 * A socket with a channel proves its session again after so long, as calls do when their token runs out; give or take an eighth,
 * so that those which came together after a restart do not all go together.
 */
export const sessionMs = 3_600_000;
/** Refused subscriptions of one socket: nobody guesses an HMAC, and whoever tries stops at this. */
export const maxRefusals = 10;
/**
 * Bytes that a socket may have waiting beside what its connection holds. Some hundred messages: a browser that has not read them
 * by then is better off with a new connection and one list.
 */
export const maxBufferedBytes = 262_144;
/** For the client's half of a close; then the connection is cut. */
export const closeWithinMs = 2_000;

/**
 * Sockets that are being told why they are refused, in all and from one address; beyond it a refusal is a plain 503. Whoever does not
 * finish the close keeps such a socket for 2 s, and it takes no place of those that are served.
 */
export const maxRefusedSockets = 1_000;
export const maxRefusedPerAddress = 20;

/** All sockets of a process that stops are closed in so long, spread evenly: they all come back somewhere at once. */
export const drainMs = 1_000;
