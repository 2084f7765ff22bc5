import type { Change } from './held.ts';

/*
 * Tells the player's other tabs of this browser what was read and deleted here. Sockets tell it too; this is for tabs that poll.
 * Only ids travel, on a channel of this player and brand: a tab of somebody else who signed in hears nothing.
 */
export interface Tabs {
  tell(id: number, change: Change): void;
}

export function joinTabs(name: string, onChange: (id: number, change: Change) => void, signal: AbortSignal): Tabs {
  try {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => {
      const { id, change } = Object(data) as { id?: unknown; change?: unknown };
      if (!signal.aborted && typeof id === 'number' && (change === 'read' || change === 'delete')) onChange(id, change);
    };
    signal.addEventListener('abort', () => channel.close());
    return { tell: (id, change) => signal.aborted || channel.postMessage({ id, change }) };
  } catch {
    // None here: frames with an origin of their own, and old browsers.
    return { tell: () => {} };
  }
}
