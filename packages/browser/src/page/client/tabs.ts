import type { Change } from './model.ts';

/** What one tab tells the others of a message. */
export type TabChange = Change | 'close';

/**
 * Tells the player's other tabs of this browser what was read, closed and deleted here. Sockets tell it too; this is for tabs that poll.
 * Only ids travel, on a channel of this player and brand: a tab of somebody else who signed in hears nothing.
 *
 * @returns how to tell them.
 */
export function joinTabs(name: string, onChange: (id: number, change: TabChange) => void, ended: AbortSignal) {
  let channel: BroadcastChannel | undefined;
  try {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data: [id, change] }) => onChange(id, change);
    ended.addEventListener('abort', () => channel?.close());
  } catch {
    // None here: frames with an origin of their own, and old browsers.
  }
  return (id: number, change: TabChange) => ended.aborted || channel?.postMessage([id, change]);
}
