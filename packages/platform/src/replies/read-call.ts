import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Brand } from '../brands/index.ts';
import { findMessage, isSignedCall, readChannelSettings } from '../channels/index.ts';
import { readHttpSms } from './providers/http-sms.ts';
import { readMail } from './providers/mail.ts';
import { isSignedByMailgun, readMailgun } from './providers/mailgun.ts';
import { readOperator } from './providers/operator.ts';
import { isFromPostmark, readPostmark } from './providers/postmark.ts';
import { isSignedBySendgrid, readSendgrid, sendgridHeaders } from './providers/sendgrid.ts';
import { readSes } from './providers/ses.ts';
import { isAmazonAddress, readSnsMessage, type SnsSignatures } from './providers/sns.ts';
import { Refused } from './refused.ts';
import type { ProviderReport, ReadReports, SmsReply } from './report.ts';
import type { ReplyDeps } from './routes.ts';
import { meansStop } from './stop-words.ts';

/** A call of a provider, as received. */
export interface ProviderCall {
  brand: Brand;
  channel: string;
  provider: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether the address ends with the brand's key. */
  knowsKey: boolean;
}

/** Maximum number of reports and replies in one call. More are refused, so that the provider shows that they did not arrive. */
const mostEntries = 1_000;

type Deps = Pick<ReplyDeps, 'pool' | 'vault' | 'clock' | 'fetchText' | 'log'>;

/** Whether the key is that of the brand's channel. */
export async function hasKey(deps: Deps, brand: Brand, channel: string, given: string): Promise<boolean> {
  const key = await keyOf(deps, brand, channel);
  return key !== undefined && timingSafeEqual(digest(key), digest(given));
}

async function keyOf({ pool, vault }: Deps, brand: Brand, channel: string): Promise<string | undefined> {
  if (channel === 'email') return brand.email?.reports?.key;
  const settings = channel === 'sms' ? await readChannelSettings(pool, vault, brand, 'sms') : null;
  return settings?.provider === 'http' ? settings.report_key : undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Checks the credential of a call, and reads it. @throws {Refused} */
export async function readCall(deps: Deps, signatures: SnsSignatures, call: ProviderCall): Promise<ReadReports> {
  switch (`${call.channel} ${call.provider}`) {
    case 'email sendgrid':
      return sendgrid(call);
    case 'email mailgun':
      return mailgun(deps, call);
    case 'email postmark':
      return postmark(call);
    case 'email ses':
      return ses(deps, signatures, call);
    case 'email mail':
      if (!call.knowsKey) throw new Refused('forbidden', 'Post mail to the URL that ends with the key.');
      return readMail(call.body.toString('latin1'));
    case 'sms http':
      return httpSms(deps, call);
    case 'operator http':
      return operator(deps, call);
    default:
      throw notSetUp();
  }
}

function sendgrid({ brand, headers, body }: ProviderCall): ReadReports {
  const key = brand.email?.reports?.sendgrid_public_key;
  if (key === undefined) throw notSetUp();
  const [signature, timestamp] = [headers[sendgridHeaders.signature], headers[sendgridHeaders.timestamp]].map(String);
  if (!isSignedBySendgrid(key, { signature: signature ?? '', timestamp: timestamp ?? '', body }))
    throw wrongSignature();
  return readSendgrid(jsonOf(body), brand.code);
}

function mailgun({ clock }: Deps, { brand, body }: ProviderCall): ReadReports {
  const key = brand.email?.reports?.mailgun_signing_key;
  if (key === undefined) throw notSetUp();
  const given = jsonOf(body);
  if (!isSignedByMailgun(key, given, clock())) throw wrongSignature();
  return readMailgun(given, brand.code);
}

function postmark({ brand, headers, body }: ProviderCall): ReadReports {
  const { postmark_username: username, postmark_password: password } = brand.email?.reports ?? {};
  if (username === undefined || password === undefined) throw notSetUp();
  if (!isFromPostmark({ username, password }, headers.authorization))
    throw new Refused('forbidden', 'Wrong user name or password.');
  return readPostmark(jsonOf(body));
}

async function ses(deps: Deps, signatures: SnsSignatures, { brand, body }: ProviderCall): Promise<ReadReports> {
  const topic = brand.email?.reports?.ses_topic_arn;
  if (topic === undefined) throw notSetUp();
  const message = readSnsMessage(jsonOf(body));
  if (message === null) throw new Refused('malformed_json', 'The body is not an Amazon SNS message.');
  // Check the topic first, so that only messages of the brand's own topic cause a certificate to be fetched.
  if (message.TopicArn !== topic) throw new Refused('forbidden', 'Wrong topic.');
  if (!(await signatures.isSigned(message, deps.clock()))) throw wrongSignature();
  if (message.Type === 'SubscriptionConfirmation') {
    if (isAmazonAddress(message.SubscribeURL)) await signatures.confirm(message.SubscribeURL);
    deps.log.info({ brand: brand.code, topic }, 'the subscription to a topic of Amazon SNS was confirmed');
    return { reports: [], ignored: 0 };
  }
  return message.Type === 'Notification'
    ? readSes(jsonOf(Buffer.from(message.Message)), message.MessageId)
    : { reports: [], ignored: 1 };
}

async function httpSms({ pool, vault }: Deps, { brand, body, knowsKey }: ProviderCall): Promise<ReadReports> {
  const settings = await readChannelSettings(pool, vault, brand, 'sms');
  if (settings?.provider !== 'http') throw notSetUp();
  const { reports, replies } = settings;
  if (reports === undefined && replies === undefined) throw notSetUp();
  // Such a provider is authenticated by the key only.
  if (!knowsKey) throw new Refused('forbidden', 'Post reports and replies to the URL that ends with the key.');
  const entries = readHttpSms(settings, jsonOf(body));
  if (entries.length > mostEntries)
    throw new Refused('body_too_large', `The body has more than ${mostEntries} reports and replies.`);
  const read = { reports: [] as ProviderReport[], replies: [] as SmsReply[], ignored: entries.length === 0 ? 1 : 0 };
  for (const { report, reply } of entries) {
    if (report === null && reply === null) read.ignored += 1;
    // Some providers repeat the sender and the text in a delivery report, and a text that we sent may begin with "Stop". If the entry has
    // a status that the settings define, it is a report. But a STOP must never be lost. So an entry whose text means STOP is a report only
    // if it names a message of ours.
    else if (
      report === null ||
      (reply !== null && meansStop(reply.text) && !(await isAboutMessage(pool, brand, report)))
    )
      read.replies.push(reply as SmsReply);
    else read.reports.push(report);
  }
  return read;
}

async function operator({ pool, vault, clock }: Deps, { brand, headers, body }: ProviderCall): Promise<ReadReports> {
  const settings = await readChannelSettings(pool, vault, brand, 'operator');
  if (settings === null) throw notSetUp();
  const { reference_prefix } = brand.settings;
  if (!isSignedCall(headers, { body, secret: settings.secret, at: clock() }, reference_prefix)) throw wrongSignature();
  return readOperator(jsonOf(body));
}

async function isAboutMessage(pool: Deps['pool'], { brand_id }: Brand, { about }: ProviderReport): Promise<boolean> {
  return (
    ('provider_id' in about || 'message_id' in about) && (await findMessage(pool, brand_id, 'sms', about)) !== null
  );
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new Refused('malformed_json', 'The body is not JSON.');
  }
}

const notSetUp = () => new Refused('not_found', 'The brand has not configured this provider.');
const wrongSignature = () => new Refused('forbidden', 'The signature is wrong.');
