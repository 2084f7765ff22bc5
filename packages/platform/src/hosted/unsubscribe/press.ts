import { type ConsentType, consentTypes } from '@croupier/contracts';

/** What a POST to a link requests. */
export type Press =
  | { kind: 'stop'; channel: ConsentType | 'all' }
  | { kind: 'undo'; receipt: string }
  /** RFC 8058: sent by a mail program or its provider, immediately and without a page. Stops the channel of the link. */
  | { kind: 'one_click' }
  | { kind: 'unclear' };

/** Never throws. A body that cannot be read requests nothing, so nothing is changed. */
export async function readPress(
  body: unknown,
  contentType: string | undefined,
): Promise<{ press: Press; lang: string | null }> {
  const form = await readForm(body, contentType);
  const lang = textOf(form.get('lang'));
  return { press: pressOf(form), lang };
}

function pressOf(form: FormData): Press {
  const stop = textOf(form.get('stop'));
  const undo = textOf(form.get('undo'));
  if (stop === 'all') return { kind: 'stop', channel: 'all' };
  const channel = consentTypes.find((type) => type === stop);
  if (channel !== undefined) return { kind: 'stop', channel };
  if (undo !== null) return { kind: 'undo', receipt: undo };
  return isOneClick(form) ? { kind: 'one_click' } : { kind: 'unclear' };
}

/** Ignores upper and lower case, because providers differ in it. */
function isOneClick(form: FormData): boolean {
  return [...form].some(
    ([name, value]) => name.toLowerCase() === 'list-unsubscribe' && textOf(value)?.toLowerCase() === 'one-click',
  );
}

/** Both forms of RFC 8058, 3.1; a body without a type is read as the simpler one. */
async function readForm(body: unknown, contentType: string | undefined): Promise<FormData> {
  if (!Buffer.isBuffer(body)) return new FormData();
  const multipart = contentType?.toLowerCase().startsWith('multipart/form-data');
  const type = multipart && contentType ? contentType : 'application/x-www-form-urlencoded';
  const bytes = new Uint8Array(body);
  return new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => new FormData());
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.trim() : null;
}
