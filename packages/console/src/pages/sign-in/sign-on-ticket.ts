/*
 * What this tab stores while the user is at the identity provider: a ticket that only the platform can read, and the
 * page to return to. The ticket is not a credential, because a sign-in also requires the provider's answer.
 */
const heldAs = 'croupier-sign-on';

interface Held {
  ticket: string;
  back: string | undefined;
}

export function holdTicket(held: Held): void {
  sessionStorage.setItem(heldAs, JSON.stringify(held));
}

/** Returns the ticket and removes it, because an answer is sent only once. */
export function takeTicket(): Held | null {
  const text = sessionStorage.getItem(heldAs);
  sessionStorage.removeItem(heldAs);
  return text === null ? null : (JSON.parse(text) as Held);
}
