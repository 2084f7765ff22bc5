/*
 * What this tab holds while its person is at the identity provider: a ticket that only the platform can read, and the page to return to. It is no
 * credential: it cannot sign a person in without the provider's answer.
 */
const heldAs = 'croupier-sign-on';

interface Held {
  ticket: string;
  back: string | undefined;
}

export function holdTicket(held: Held): void {
  sessionStorage.setItem(heldAs, JSON.stringify(held));
}

/** Takes it out: an answer is sent once. */
export function takeTicket(): Held | null {
  const text = sessionStorage.getItem(heldAs);
  sessionStorage.removeItem(heldAs);
  return text === null ? null : (JSON.parse(text) as Held);
}
