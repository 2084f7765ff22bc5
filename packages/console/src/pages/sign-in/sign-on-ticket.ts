/*
 * What this tab stores while the user is at the identity provider: a ticket that only the platform can read, and the
 * page to return to. The ticket is not a credential: without the provider's answer, it cannot be used to sign in.
 */
const heldAs = 'croupier-sign-on';

interface Held {
  ticket: string;
  back: string | undefined;
}

export function holdTicket(held: Held): void {
  sessionStorage.setItem(heldAs, JSON.stringify(held));
}

/** Returns and removes it, because an answer is sent only once. */
export function takeTicket(): Held | null {
  const text = sessionStorage.getItem(heldAs);
  sessionStorage.removeItem(heldAs);
  return text === null ? null : (JSON.parse(text) as Held);
}
