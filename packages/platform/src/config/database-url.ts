import Type from 'typebox';

/*
 * The address of the database. The driver reports an invalid address as "Invalid URL" without its setting, and connects to
 * 127.0.0.1 if the address names no server. So both are refused here.
 */
const pattern = '^postgres(ql)?://';

export const databaseUrl = Type.Refine(
  Type.Refine(
    Type.String({
      pattern,
      description:
        'PostgreSQL 15 to 18. Default: the embedded one. Scenarios and backtests of campaigns require a second database, with the same name and the suffix _scenarios. Give the role CREATEDB, or create an empty database with this name. Environment: DATABASE_URL.',
    }),
    (text) => !new RegExp(pattern).test(text) || parse(text) !== null,
    () =>
      'is not a valid address: write special characters of the user name and the password percent-encoded (for example %23 for #), and the port as a number',
  ),
  (text) => parse(text)?.namesServer !== false,
  () =>
    'must name a host or the folder of a socket, such as postgres://user:password@host:5432/database or postgres:///database?host=/var/run/postgresql',
);

/** Null if the address cannot be read. */
function parse(text: string): { namesServer: boolean } | null {
  // The driver accepts a user without a host, which URL refuses: postgres://user@/database?host=/var/run/postgresql
  const withHost = URL.parse(text);
  const url = withHost ?? URL.parse(text.replace('@/', '@socket/'));
  // Everything after a # would be ignored: the end of the password, and the host.
  if (url === null || text.includes('#')) return null;
  return { namesServer: Boolean(withHost?.hostname || url.searchParams.get('host')) };
}
