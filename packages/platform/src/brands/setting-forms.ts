/*
 * Describes in words what a setting must look like, for each regular expression of the schemas. Error messages show these
 * words instead of the regular expression to people who correct a configuration. A test requires an entry for every pattern
 * of every setting.
 */
const forms: Record<string, string> = {
  '^[A-Za-z_][A-Za-z0-9_]{0,63}$':
    'a name of up to 64 letters, digits and underscores that does not start with a digit',
  '^(([01][0-9]|2[0-3]):[0-5][0-9])?$': 'a time of day such as 09:30, or empty',
  '^[A-Za-z0-9]{3,10}$': 'a currency code such as EUR: 3 to 10 letters and digits',
  '^((mailto:)?[^@\\s]+@[^@\\s]+|https://\\S+)?$': 'an e-mail address or an https address, or empty',
  '^https?://[^/\\s]+$': 'an origin such as https://crm.lan:8443, without a path',
  '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s?#@]+/?$':
    'an origin such as https://www.casino.example: scheme, host and port, without a path',
  '^(https?://.+)?$': 'an http or https address, or empty',
  '^(#[0-9A-Fa-f]{6})?$': 'a color such as #0a66c2, or empty',
  '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$': 'a language code (BCP 47) such as en or pt-BR',
  '^([0-9]{1,12}([.][0-9]{1,8})?)?$': 'an amount such as 1500 or 99.50 in quotes, or empty',
  '^[A-Z]{2,3}$': 'a country code such as MT: 2 or 3 capital letters',
  '^private-[A-Za-z0-9][A-Za-z0-9-]{0,62}$':
    'a channel name such as private-crm: letters, digits and hyphens after private-',
  '^[A-Za-z0-9_-]{1,64}$': 'a file name of up to 64 letters, digits, underscores and hyphens',
  '^(https?://[^\\s?#]*[^\\s?#/])?$': 'an http or https address without a query and without a trailing slash, or empty',
  '^[A-Za-z][A-Za-z0-9]{0,31}$': 'a word of up to 32 letters and digits that starts with a letter',
  '^[A-Za-z0-9-]{1,100}$': 'a header name: up to 100 letters, digits and hyphens',
  '^https?://': 'an address that starts with http:// or https://',
  '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/]|$))':
    'an address that starts with https://, or with http:// on this machine (localhost, 127.0.0.1 or [::1])',
  '^/': 'a path that starts with /',
  '^[A-Za-z0-9_-]{20,100}$': 'a secret of 20 to 100 letters, digits, underscores and hyphens',
  '^arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_-]+$':
    'the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:bounces',
  '^[A-Za-z0-9.:-]{1,253}$': 'a host name or an IP address',
  '^[A-Za-z0-9.-]{1,253}$': 'a domain name',
  '^[A-Za-z0-9._-]{1,100}$': 'a DKIM selector: up to 100 letters, digits, dots, underscores and hyphens',
  '^[a-z0-9][a-z0-9-]{0,31}$': 'a code of up to 32 lower-case letters, digits and hyphens, such as mycasino',
  '^postgres(ql)?://': 'the address of a PostgreSQL database, such as postgres://user:password@host:5432/database',
  '^[!-~]+$': 'a token of printable ASCII characters without spaces',
  '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$': 'an http or https address without a user name and without a #',
  '^(\\+[1-9]\\d{6,14}|\\d{3,8}|[A-Za-z0-9 &_-]{1,11})$':
    'a number in E.164 such as +35699123456, a short code, or up to 11 letters and digits',
  '^[A-Za-z0-9_.-]{1,200}$': 'a place in JSON such as messages.0.id',
  '^AC[A-Za-z0-9]{32}$': 'a Twilio account SID: AC and 32 letters and digits',
  '^SK[A-Za-z0-9]{32}$': 'a Twilio key SID: SK and 32 letters and digits',
  '^MG[A-Za-z0-9]{32}$': 'a Twilio messaging service SID: MG and 32 letters and digits',
  '^[\\w.+/; =-]{1,100}$': 'a content type such as application/json',
  '^[a-z][a-z0-9]*(_[a-z0-9]+)*$': 'a name in snake_case, such as vip_level',
  '^P': 'an ISO 8601 duration such as PT2H',
  '^[^@\\s<>",;:]+@[^@\\s<>",;:]+\\.[^@\\s<>",;:.]+$': 'an e-mail address',
  '^$|^[^@\\s<>",;:]+@[^@\\s<>",;:]+\\.[^@\\s<>",;:.]+$': 'an e-mail address, or empty',
};

/** Returns the text that follows "must be" in an error message. */
export function describeForm(pattern: string): string {
  return forms[pattern] ?? 'valid: see docs/guides/configuration.md';
}

export function hasForm(pattern: string): boolean {
  return pattern in forms;
}
