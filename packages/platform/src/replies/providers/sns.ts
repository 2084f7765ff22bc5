import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { recordOf, textOf } from '../report.ts';

/*
 * Amazon SNS calls over HTTP: a JSON message that is signed with RSA. The certificate is published at an address of Amazon. The
 * signature covers the listed fields, each as `name\nvalue\n`. Version 1 signs with SHA-1, version 2 with SHA-256.
 */
export interface SnsMessage {
  Type: string;
  MessageId: string;
  TopicArn: string;
  Message: string;
  Timestamp: string;
  Subject?: string;
  Token?: string;
  SubscribeURL?: string;
  SignatureVersion: string;
  Signature: string;
  SigningCertURL: string;
}

/** Fetches a text over https; at most a few kilobytes, without following redirects. */
export type FetchText = (url: string) => Promise<string>;

const amazon = /^https:\/\/sns\.[a-z0-9-]{1,40}\.amazonaws\.com(\.cn)?\/[^\s#]*$/;

/** An address at which a subscription is confirmed. */
export function isAmazonAddress(url: string | undefined): url is string {
  return url !== undefined && amazon.test(url);
}

/**
 * The file at which SNS publishes a certificate. No other address of the host is accepted, because SNS also answers API calls there,
 * and an answer can contain a certificate that the caller has stored.
 */
const certificateAddress =
  /^https:\/\/sns\.[a-z0-9-]{1,40}\.amazonaws\.com(\.cn)?\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;
/** X509Certificate ignores text around a certificate, so the file is checked before it is read. */
const oneCertificate = /^-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=]+\r?\n)+-----END CERTIFICATE-----\s*$/;

export function readSnsMessage(body: unknown): SnsMessage | null {
  const given = recordOf(body);
  const needed = [
    'Type',
    'MessageId',
    'TopicArn',
    'Message',
    'Timestamp',
    'SignatureVersion',
    'Signature',
    'SigningCertURL',
  ];
  return needed.every((name) => textOf(given[name]) !== undefined) ? (given as unknown as SnsMessage) : null;
}

export function textToSign(message: SnsMessage): string {
  const fields =
    message.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const);
  return fields.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join('');
}

const certificateLife: Micros = 24 * 3_600_000_000;
const mostCertificates = 20;

/** Verifies messages. Certificates are fetched from Amazon, and cached for a day. */
export class SnsSignatures {
  readonly #fetchText: FetchText;
  readonly #certificates = new Map<string, { pem: string; until: Micros }>();

  constructor(options: { fetchText: FetchText }) {
    this.#fetchText = options.fetchText;
  }

  /** @throws if the certificate cannot be fetched; SNS then repeats the call */
  async isSigned(message: SnsMessage, now: Micros): Promise<boolean> {
    const { SigningCertURL, SignatureVersion, Signature } = message;
    if (!certificateAddress.test(SigningCertURL)) return false;
    const digest = SignatureVersion === '1' ? 'sha1' : SignatureVersion === '2' ? 'sha256' : null;
    if (digest === null) return false;
    const pem = await this.#certificate(SigningCertURL, now);
    if (pem === null) return false;
    try {
      const certificate = new X509Certificate(pem);
      if (Date.parse(certificate.validTo) * 1_000 < now) return false;
      const key = createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' }));
      return verify(digest, Buffer.from(textToSign(message)), key, Buffer.from(Signature, 'base64'));
    } catch {
      return false;
    }
  }

  /** Confirms to SNS that calls to this address are wanted. @param url of Amazon */
  async confirm(url: string): Promise<void> {
    await this.#fetchText(url);
  }

  /** Null if the address answers anything other than one certificate. */
  async #certificate(url: string, now: Micros): Promise<string | null> {
    const known = this.#certificates.get(url);
    if (known !== undefined && known.until > now) return known.pem;
    const pem = await this.#fetchText(url);
    if (!oneCertificate.test(pem)) return null;
    if (this.#certificates.size >= mostCertificates) this.#certificates.clear();
    this.#certificates.set(url, { pem, until: now + certificateLife });
    return pem;
  }
}
