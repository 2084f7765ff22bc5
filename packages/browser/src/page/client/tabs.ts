import type { Change } from './model.ts';

/** A change of a message that one tab sends to the others. */
export type TabChange = Change | 'close';

/**
 * Notifies the player's other tabs in this browser of what was read, closed and deleted here. Sockets do that too, so
 * this is for tabs that poll. Only ids are sent. The channel belongs to this player and brand, so a tab of another
 * player receives nothing.
 *
 * @returns a function that notifies them
 */
export function joinTabs(name: string, onChange: (id: number, change: TabChange) => void, ended: AbortSignal) {
  let channel: BroadcastChannel | undefined;
  try {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data: [id, change] }) => onChange(id, change);
    ended.addEventListener('abort', () => channel?.close());
  } catch {
    // BroadcastChannel is not available in frames with an opaque origin, and in old browsers.
  }
  return (id: number, change: TabChange) => ended.aborted || channel?.postMessage([id, change]);
}
