import { expired, nextExpiry } from './expiry.ts';
import type { Holder } from './holder.ts';

/** The longest wait of a timer, 24.8 days; a later expiry is looked at again then. */
const maxTimerMs = 2 ** 31 - 1;

/** Takes messages away when they expire, open ones too. @param now Milliseconds, of the server's clock. */
export function watchExpiry(holder: Holder, now: () => number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.POSITIVE_INFINITY;

  const look = () => {
    const next = nextExpiry(holder.get());
    if (next === last) return;
    last = next;
    clearTimeout(timer);
    if (next !== Number.POSITIVE_INFINITY) timer = setTimeout(sweep, Math.min(maxTimerMs, Math.max(0, next - now())));
  };
  const sweep = () => {
    last = Number.POSITIVE_INFINITY;
    holder.change((held) => expired(held, now()));
    look();
  };
  holder.subscribe(look);
}
