/**
 * The setting `support_contact` where it is an e-mail address, with or without `mailto:`; null where it is a web address, a telephone
 * number or nothing. What would mean something in a mailto: link (`?`, `&`, `/`) is in no address that is taken.
 */
export function supportEmail(contact: string): string | null {
  return /^(?:mailto:)?([^\s@/?&:]+@[^\s@/?&:]+)$/.exec(contact)?.[1] ?? null;
}
