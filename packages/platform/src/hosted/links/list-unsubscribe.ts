/**
 * The header fields by which a mail program shows its own "unsubscribe" button (RFC 2369), and leaves with one POST and
 * no page (RFC 8058). Both belong into every marketing e-mail, and into what DKIM signs: mail providers ignore the second
 * where the signature does not cover it.
 *
 * @param link of the form `full`. RFC 8058 asks for https: for an http address (a laptop) the second is left out.
 */
export function listUnsubscribeHeaders(link: string): Record<string, string> {
  const headers = { 'List-Unsubscribe': `<${link}>` };
  return link.startsWith('https:') ? { ...headers, 'List-Unsubscribe-Post': oneClickBody } : headers;
}

/** What the POST of RFC 8058 brings as its body. */
const oneClickBody = 'List-Unsubscribe=One-Click';
