/**
 * The setting `support_contact` if it is an e-mail address, with or without `mailto:`; null if it is a web address, a
 * telephone number or empty. Addresses with characters that have a meaning in a mailto: link (`?`, `&`, `/`) are not
 * accepted.
 */
export function supportEmail(contact: string): string | null {
  return /^(?:mailto:)?([^\s@/?&:]+@[^\s@/?&:]+)$/.exec(contact)?.[1] ?? null;
}
