import type { PushPayload } from '@croupier/contracts';

/*
 * The data sent to a device: a JSON object, encrypted for that device only. The service worker's script (packages/browser,
 * page/push/worker.ts) reads it.
 *
 * Push services accept 4096 bytes of ciphertext (RFC 8030, 7.2); encryption adds 103 bytes to a payload. Links and
 * images have up to 2,000 characters each, so what does not fit is removed: first the picture, then the icon, then the
 * text. If the link alone is too long, it is removed instead of the text.
 */
const maxBytes = 3_900;
const maxTitle = 120;
const maxBody = 400;

export interface PushContent {
  message_id: number;
  title: string;
  preview_text: string;
  cta_button_link: string;
  image_url: string;
}

export function payloadOf(
  content: PushContent,
  brand: { name: string; logo_url: string; base: string },
  token: string,
): string {
  const { message_id, title, preview_text, cta_button_link, image_url } = content;
  const payload: PushPayload = {
    id: message_id,
    title: start(title.trim() === '' ? brand.name : title, maxTitle),
    body: start(preview_text, maxBody),
    ...webAddress('link', cta_button_link),
    ...webAddress('image', image_url),
    ...webAddress('icon', brand.logo_url),
    base: brand.base,
    token,
  };
  const ways: ((p: PushPayload) => PushPayload)[] = [
    (p) => p,
    ({ image: _, ...p }) => p,
    ({ image: _, icon: __, ...p }) => p,
    ({ image: _, icon: __, ...p }) => ({ ...p, body: '' }),
    ({ image: _, icon: __, link: ___, ...p }) => p,
  ];
  for (const way of ways) {
    const text = JSON.stringify(way(payload));
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  throw new Error('a push payload without links has at most 2,500 bytes');
}

/** http(s), or a path of the site. Any other link could run or open something on the device. */
function webAddress<Name extends string>(name: Name, address: string): { [N in Name]?: string } {
  const isPath = /^\/(?![/\\])/.test(address);
  const url = URL.parse(address);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const shown = isPath ? address : isWeb ? url.href : null;
  return shown === null ? {} : ({ [name]: shown } as { [N in Name]?: string });
}

function start(text: string, chars: number): string {
  const clean = text.trim();
  return clean.length <= chars ? clean : `${clean.slice(0, chars - 1).toWellFormed()}…`;
}
