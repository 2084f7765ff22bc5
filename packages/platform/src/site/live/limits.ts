/** Limits per api process; the first three are settings of the installation (`sockets` in the configuration file). */
export interface SocketLimits {
  /** Maximum number of sockets in total. */
  max: number;
  /** Maximum number per address, or per /64 of IPv6. Behind an untrusted proxy, all players share the proxy's address. */
  max_per_address: number;
  /** Subscribed sockets per player: open tabs and devices. */
  max_per_player: number;
}

/** The platform sends this to clients. They ping if they have received nothing for this long. */
export const activityTimeoutSeconds = 120;
/** Longer than the clients' interval, so that the server pings only clients that never ping. */
export const pingAfterMs = (activityTimeoutSeconds + 10) * 1_000;
/** Time to answer a ping. */
export const pongWithinMs = 30_000;
/**
 * A socket without a channel is useless. Public clients request the proof once per connection. If that call met a process that
 * was stopping, the client would stay without a channel for as long as its socket is open. If the socket is closed with 4202, the client
 * reconnects at once and requests the proof again.
 */
export const subscribeWithinMs = 60_000;
/** How often the three limits above are checked. */
export const sweepMs = 5_000;

/** Maximum size of one message from a client in bytes: a subscription has about 200. A longer one closes the socket (1009). */
export const maxFrameBytes = 4_096;
/**
 * Maximum number of messages from a client per `frameWindowMs`; a library sends three to subscribe, then a ping every two
 * minutes.
 */
export const maxFrames = 50;
export const frameWindowMs = 10_000;
/**
 * A socket with a channel must authenticate again after this time, as calls do when their token expires. The time varies by an
 * eighth, so that sockets that were opened together after a restart are not closed together.
 */
export const sessionMs = 3_600_000;
/** Maximum number of refused subscriptions per socket. An HMAC cannot be guessed; the limit stops clients that try. */
export const maxRefusals = 10;
/**
 * Maximum number of bytes waiting for a socket, in addition to the connection's own buffers. That is some hundred messages; a
 * browser that has not read them by then should reconnect and load one list.
 */
export const maxBufferedBytes = 262_144;
/** How long the client may take to answer a close. After that, the connection is cut. */
export const closeWithinMs = 2_000;

/**
 * Maximum number of refused sockets that are still receiving the reason, in total and per address. Above it, a refusal is a
 * plain 503. A client that does not finish the close occupies such a socket for 2 s. Refused sockets do not count toward the
 * limits of served sockets.
 */
export const maxRefusedSockets = 1_000;
export const maxRefusedPerAddress = 20;

/** A process that stops closes all sockets within this time, evenly spread, because they all reconnect elsewhere immediately. */
export const drainMs = 1_000;
