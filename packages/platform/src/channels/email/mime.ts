import { type PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Brand, EmailSettings } from '../../brands/index.ts';

/** One e-mail as passed to the server. */
export interface OutgoingMail {
  message_id: number;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Additional header fields: those for unsubscribing. */
  headers: Readonly<Record<string, string>>;
  /** The Date header, in milliseconds since 1970. */
  date: number;
}

/** The `Message-ID`, by which bounces identify their e-mail. */
export function messageIdOf(messageId: number, brand: Pick<Brand, 'code'>, { from_address }: EmailSettings): string {
  return `<${messageId}.${brand.code}@${from_address.slice(from_address.lastIndexOf('@') + 1)}>`;
}

/**
 * The bytes of an e-mail (RFC 5322), signed if the brand signs. The signature covers `List-Unsubscribe-Post`, because mail
 * providers ignore it otherwise (RFC 8058). Building an e-mail never reads a file or fetches an address, even if the e-mail refers to one.
 */
export async function buildMail(
  mail: OutgoingMail,
  brand: Pick<Brand, 'code' | 'name' | 'settings'>,
  email: EmailSettings,
): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const name = email.from_name || brand.settings.display_name || brand.name;
  const composer = new MailComposer({
    from: { name, address: email.from_address },
    to: { name: '', address: mail.to },
    ...(email.reply_to === '' ? {} : { replyTo: email.reply_to }),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === '' ? {} : { html: mail.html }),
    messageId: messageIdOf(mail.message_id, brand, email),
    date: new Date(mail.date),
    // These are ASCII. Otherwise nodemailer would encode a value with quotes, such as JSON.
    headers: Object.fromEntries(
      Object.entries(mail.headers).map(([name, value]) => [name, { prepared: true, foldLines: true, value }]),
    ),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  const built = await composer.compile().build();
  return email.dkim === undefined ? built : signed(built, email.dkim);
}

const signedFields = [
  'from',
  'sender',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
].join(':');

async function signed(
  mail: Buffer,
  { domain, selector, private_key }: NonNullable<EmailSettings['dkim']>,
): Promise<Buffer> {
  const { default: DKIM } = await import('nodemailer/lib/dkim');
  const dkim = new DKIM({
    domainName: domain,
    keySelector: selector,
    privateKey: private_key,
    headerFieldNames: signedFields,
  });
  const bytes = await buffer(dkim.sign(Readable.from([mail])) as PassThrough);
  // With an invalid key, nodemailer silently omits the signature.
  if (!/^dkim-signature:/i.test(bytes.subarray(0, 20).toString('latin1')))
    throw new Error('the e-mail could not be signed: the DKIM key of the brand is not an RSA key');
  return bytes;
}
