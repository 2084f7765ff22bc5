import type { EmailSettings } from '../../brands/index.ts';

/**
 * Header fields by which what comes back about an e-mail names it. Reports of mail servers bring `X-Message-Token` along. Postmark and Amazon SES
 * replace the Message-ID; they report metadata and tags, which they take out of these fields.
 */
export function reportHeaders({ reports }: Pick<EmailSettings, 'reports'>, token: string): Record<string, string> {
  return {
    'X-Message-Token': token,
    ...(reports?.postmark_username !== undefined && { 'X-PM-Metadata-message': token }),
    ...(reports?.ses_topic_arn !== undefined && { 'X-SES-MESSAGE-TAGS': `message=${token}` }),
  };
}

/** Where servers report what they could not deliver: with `verp`, an address that names the e-mail. */
export function envelopeSender(
  { bounce_address, from_address, reports }: Pick<EmailSettings, 'bounce_address' | 'from_address' | 'reports'>,
  token: string,
): string {
  const address = bounce_address || from_address;
  if (reports?.verp !== true || bounce_address === '') return address;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}
