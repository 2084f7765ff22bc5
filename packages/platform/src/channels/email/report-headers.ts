import type { EmailSettings } from '../../brands/index.ts';

/** SendGrid merges unique arguments into each event, so the name must not be that of one of its fields. */
export const sendgridArgument = 'crm_message';

/**
 * Header fields by which reports identify an e-mail. Reports of mail servers return `X-Message-Token`. Postmark and Amazon SES
 * replace the Message-ID; they report metadata and tags, which they take from these fields. SendGrid reports the Message-ID only in
 * events about delivery. Events about opens, clicks, complaints and unsubscriptions contain only its unique arguments.
 */
export function reportHeaders({ reports }: Pick<EmailSettings, 'reports'>, token: string): Record<string, string> {
  return {
    'X-Message-Token': token,
    ...(reports?.sendgrid_public_key !== undefined && {
      // Spaces let the line be folded.
      'X-SMTPAPI': `{"unique_args": {"${sendgridArgument}": "${token}"}}`,
    }),
    ...(reports?.postmark_username !== undefined && { 'X-PM-Metadata-message': token }),
    ...(reports?.ses_topic_arn !== undefined && { 'X-SES-MESSAGE-TAGS': `message=${token}` }),
  };
}

/** The address to which servers report what they could not deliver; with `verp`, it identifies the e-mail. */
export function envelopeSender(
  { bounce_address, from_address, reports }: Pick<EmailSettings, 'bounce_address' | 'from_address' | 'reports'>,
  token: string,
): string {
  const address = bounce_address || from_address;
  if (reports?.verp !== true || bounce_address === '') return address;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}
