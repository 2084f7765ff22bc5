import type { Micros } from '@croupier/contracts';
import type { Brand, EmailSettings } from '../../brands/index.ts';
import { judgeReply, type SmtpResult } from '../email/judge-reply.ts';
import { buildMail } from '../email/mime.ts';
import { SmtpSession } from '../email/smtp.ts';
import type { Tested } from './tested.ts';

/**
 * Connects to a mail server, secures the connection and signs in. If an address is given, it sends an e-mail with a fixed text
 * there. It does not ask the gate, because the e-mail goes to a member of staff, and only says that it is a test.
 */
export async function testEmail(
  brand: Pick<Brand, 'code' | 'name' | 'settings'>,
  email: EmailSettings,
  { to, at }: { to: string | null; at: Micros },
): Promise<Tested> {
  const mail = to === null ? null : await mailTo(brand, email, to, at).catch((error: Error) => error);
  if (mail instanceof Error)
    return { ok: false, outcome: 'failed', reason: 'not_built', status: null, detail: mail.message };
  const session = await SmtpSession.open(email, email.call_timeout_ms);
  if (!(session instanceof SmtpSession)) return judged(session);
  if (mail === null || to === null) {
    session.quit();
    return { ok: true, outcome: 'connected', reason: null, status: null, detail: '' };
  }
  const result = await session.send({ from: email.bounce_address || email.from_address, to }, mail);
  session.quit();
  return judged(result);
}

function mailTo(brand: Pick<Brand, 'code' | 'name' | 'settings'>, email: EmailSettings, to: string, at: Micros) {
  const name = brand.settings.display_name || brand.name;
  const text = `This e-mail tests the mail server of ${name}. It arrived, so the settings work.`;
  const date = Math.floor(at / 1_000);
  // The current time serves as its number, because providers drop a Message-ID that they have seen before.
  const headers = { 'Auto-Submitted': 'auto-generated' };
  const mail = { message_id: date, to, subject: `[Test] E-mail of ${name}`, html: '', text, headers, date };
  return buildMail(mail, brand, email);
}

function judged(result: SmtpResult): Tested {
  const outcome = judgeReply(result);
  const reason = 'reason' in outcome ? outcome.reason : null;
  const status = result.answered ? result.code : null;
  return { ok: outcome.outcome === 'sent', outcome: outcome.outcome, reason, status, detail: result.detail };
}
