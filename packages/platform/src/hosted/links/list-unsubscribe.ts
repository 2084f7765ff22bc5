/**
 * The header fields with which a mail program shows its own "unsubscribe" button (RFC 2369), and unsubscribes with one POST and
 * no page (RFC 8058). Both are required in every marketing e-mail, and must be covered by the DKIM signature: mail providers
 * ignore the second field if the signature does not cover it.
 *
 * @param link of the form `full`. RFC 8058 requires https: for an http address (a laptop) the second field is omitted.
 */
export function listUnsubscribeHeaders(link: string): Record<string, string> {
  const headers = { 'List-Unsubscribe': `<${link}>` };
  return link.startsWith('https:') ? { ...headers, 'List-Unsubscribe-Post': oneClickBody } : headers;
}

/** The body of the POST of RFC 8058. */
const oneClickBody = 'List-Unsubscribe=One-Click';
