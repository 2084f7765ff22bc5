/*
 * Splits a multipart mail (RFC 2046) as far as reports need it: one level, the types of the parts, and their decoded bodies.
 * Bodies that are themselves mails stay unchanged.
 */
export interface MailPart {
  /** The content type in lower case, without parameters. */
  type: string;
  body: string;
}

const mostParts = 20;

/** @param type the content type of the mail */
export function partsOf(raw: string, type: string): MailPart[] {
  const boundary = /boundary="?([^";\r\n]{1,200})"?/i.exec(type)?.[1]?.trim();
  if (!/^multipart\//i.test(type.trim()) || boundary === undefined) return [];
  const [, ...sections] = `\n${bodyOf(raw)}`.split(`\n--${boundary}`);
  return sections
    .slice(0, mostParts)
    .filter((section) => !section.startsWith('--'))
    .map((section) => {
      const part = section.replace(/^[ \t]*\r?\n/, '');
      const headers = headersOf(part);
      const [name = 'text/plain'] = (headers.get('content-type') ?? 'text/plain').split(';');
      return {
        type: name.trim().toLowerCase(),
        body: decoded(bodyOf(part), headers.get('content-transfer-encoding')),
      };
    });
}

function bodyOf(text: string): string {
  const end = /\r?\n\r?\n/.exec(text);
  // A part without headers begins with an empty line.
  if (/^\r?\n/.test(text)) return text.replace(/^\r?\n/, '');
  return end === null ? '' : text.slice(end.index + end[0].length);
}

function decoded(body: string, encoding = ''): string {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8');
    case 'quoted-printable':
      return body
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    default:
      return body;
  }
}

/** The headers at the beginning of a mail or part. */
export function headersOf(text: string): Map<string, string> {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  return readHeaders(head);
}

/** Names in lower case; if a name is repeated, the first one counts. */
export function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value.trim());
  }
  return headers;
}
