import { expect, test } from 'vitest';
import { ConfigError } from '../config/index.ts';
import { MigrationFailed, SchemaTooOld } from '../database/index.ts';
import { EmptySecret } from '../kept-secret.ts';
import { describeStartFailure, exitCodeOf } from './start-failure.ts';
import { StartRefused } from './start-refused.ts';

const withCode = (code: string, message = 'raw words') => Object.assign(new Error(message), { code });

test.each<[string, unknown, string]>([
  [
    'the configuration',
    new ConfigError('c.yaml', [{ path: 'port', message: 'must be a whole number' }]),
    'The configuration in c.yaml',
  ],
  ['an older database', new SchemaTooOld('0001.sql'), 'Start with an empty database'],
  [
    'a migration',
    new MigrationFailed('0002.sql', new Error('no such table')),
    'migration 0002.sql failed: no such table',
  ],
  ['a port', new StartRefused('Port 80 is in use.'), 'Port 80 is in use.'],
  ['no server', withCode('ECONNREFUSED'), 'No server listens at the address in DATABASE_URL'],
  ['an unknown host', withCode('ENOTFOUND'), 'The host in DATABASE_URL is unknown'],
  ['a self-signed certificate', withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'Set NODE_EXTRA_CA_CERTS to a file'],
  ['an unknown issuer', withCode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'its issuer is unknown to this machine'],
  ['an expired certificate', withCode('CERT_HAS_EXPIRED'), 'certificate of the database has expired. Renew it'],
  [
    'a certificate of another host',
    withCode('ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames: Host: db."),
    'altnames: Host: db. Use a host name of the certificate',
  ],
  ['a wrong password', withCode('28P01'), 'PostgreSQL refused the password in DATABASE_URL'],
  [
    'a missing database',
    withCode('3D000', 'database "x" does not exist'),
    'database "x" does not exist. Create the database',
  ],
  [
    'a port that is taken when the api listens',
    Object.assign(withCode('EADDRINUSE', 'listen EADDRINUSE'), { port: 8080 }),
    'Port 8080 is in use. Stop the program that uses it, or set PORT',
  ],
  [
    'a port that needs privileges',
    Object.assign(withCode('EACCES', 'listen EACCES'), { port: 80 }),
    'Set PORT to a port above 1023',
  ],
  [
    'an address of another machine',
    Object.assign(withCode('EADDRNOTAVAIL'), { address: '10.9.9.9' }),
    'does not have the address 10.9.9.9. Correct HOST',
  ],
  ['an empty secret', new EmptySecret('Its file is empty. Remove it.'), 'Its file is empty. Remove it.'],
  ['an empty database', withCode('42P01', 'relation "brand" does not exist'), 'Start this version of Croupier with it'],
  ['a data folder below a file', withCode('ENOTDIR', 'not a directory, mkdir'), 'set DATA_DIR to a folder'],
  ['a closed folder', withCode('EACCES', 'permission denied, mkdir'), 'Let this user own DATA_DIR'],
])('a failed start is explained in words, without JSON and without a stack trace: %s', (_name, error, expected) => {
  const text = describeStartFailure(error);
  expect(text).toMatch(/^Croupier cannot start\. [A-Z].*\n$/s);
  expect(text).toContain(expected);
  expect(text).not.toMatch(/^\s+at |[{}]/m);
});

test('an unknown error is one paragraph, too', () => {
  expect(describeStartFailure(new Error('what is this'))).toMatch(
    /^Croupier cannot start\. An unexpected error occurred: what is this\. If .* LOG_LEVEL=debug, and report .*\.\n$/,
  );
});

test.each([
  ['the configuration', new ConfigError('c.yaml', []), 78],
  ['an older database', new SchemaTooOld('0001.sql'), 78],
  ['an empty secret', new EmptySecret('Its file is empty.'), 78],
  ['a refused start', new StartRefused('The role api requires DATABASE_URL.'), 78],
  ['a refused start that may succeed later', new StartRefused('Port 80 is in use.', { mayPass: true }), 1],
  ['a database that does not answer', withCode('ECONNREFUSED'), 1],
])('the exit code is 78 only if a restart cannot help: %s', (_name, error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});
