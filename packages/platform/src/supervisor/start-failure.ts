import { ConfigError } from '../config/index.ts';
import { FolderInUse, MigrationFailed, SchemaTooOld } from '../database/index.ts';
import { EmptySecret } from '../kept-secret.ts';
import { describeUnknownFailure } from '../unknown-failure.ts';
import { StartRefused } from './start-refused.ts';

/* The message if a process cannot start: one paragraph that says what is wrong and what to do. */
const explained: Record<string, (error: Error & { port?: number; address?: string }) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop the program that uses it, or set PORT to another port.`,
  EADDRNOTAVAIL: ({ address }) =>
    `This machine does not have the address ${address}. Correct HOST, or remove it to use all addresses of the machine.`,
  ECONNREFUSED: () => noDatabase('No server listens at the address in DATABASE_URL.'),
  ENOTFOUND: () => noDatabase('The host in DATABASE_URL is unknown.'),
  EAI_AGAIN: () => noDatabase('The host in DATABASE_URL cannot be resolved.'),
  ETIMEDOUT: () => noDatabase('The host in DATABASE_URL does not answer.'),
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  CERT_HAS_EXPIRED: () => 'The TLS certificate of the database has expired. Renew it on the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: (error) =>
    `The TLS certificate of the database is for another host: ${error.message.replace(/\.$/, '')}. Use a host name of the certificate in DATABASE_URL.`,
  '28P01': () => 'PostgreSQL refused the password in DATABASE_URL. Correct the user or the password.',
  '28000': () =>
    'PostgreSQL refused the user in DATABASE_URL. Create the user, or allow it to connect from this machine in pg_hba.conf.',
  '3D000': (error) =>
    `PostgreSQL reports: ${error.message}. Create the database with encoding UTF8, or correct its name in DATABASE_URL.`,
  '42501': (error) =>
    `The user in DATABASE_URL lacks a privilege: ${error.message}. Make this user the owner of the database.`,
  '42P01': otherSchema,
  '42703': otherSchema,
  '53300': () => 'PostgreSQL has no free connection. Raise max_connections, or stop what uses them.',
  EACCES: (error) =>
    error.port
      ? `This user may not listen on port ${error.port}. Set PORT to a port above 1023.`
      : `A file or folder cannot be used: ${error.message}. Let this user own DATA_DIR, or set DATA_DIR to another folder.`,
  EROFS: (error) => `A folder cannot be written: ${error.message}. Set DATA_DIR to a folder that can be written.`,
  ENOENT: noFolder,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ENOSPC: (error) => `The disk is full: ${error.message}. Free some space, then start again.`,
};

/** The text for standard error, with a line break at the end. */
export function describeStartFailure(error: unknown): string {
  const explained = error instanceof Error ? explainFailure(error) : undefined;
  return `Croupier cannot start. ${explained ?? describeUnknownFailure(error)}\n`;
}

/** Returns what is wrong and what to do. Returns undefined if the cause is unknown. The command line uses it, too. */
export function explainFailure(error: Error): string | undefined {
  if (error instanceof ConfigError || error instanceof FolderInUse) return capital(error.message);
  if ([StartRefused, SchemaTooOld, EmptySecret].some((kind) => error instanceof kind)) return error.message;
  if (error instanceof MigrationFailed)
    return `The ${error.message}. The database is unchanged since the previous file. Report this as a defect.`;
  return explained[String((error as NodeJS.ErrnoException).code)]?.(error);
}

/** EX_CONFIG of sysexits.h: a person must correct the configuration or the installation first, so a restart is useless. */
const configurationExit = 78;

/** The exit code of a start that failed. The systemd units do not restart Croupier after 78. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof StartRefused) return error.mayPass ? 1 : configurationExit;
  return [ConfigError, SchemaTooOld, EmptySecret].some((kind) => error instanceof kind) ? configurationExit : 1;
}

function unknownIssuer(): string {
  return 'The TLS certificate of the database is self-signed, or its issuer is unknown to this machine. Set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer, or add sslrootcert=/path/to/it to DATABASE_URL.';
}

function otherSchema(error: Error): string {
  return `The database in DATABASE_URL does not have the tables of this version: ${error.message}. Start this version of Croupier with it once, or correct the address.`;
}

function noFolder(error: Error): string {
  return `A file or folder cannot be used: ${error.message}. Correct its path. If it is in the data folder, set DATA_DIR to a folder that this user can create.`;
}

function noDatabase(what: string): string {
  return `${what} Start PostgreSQL, or correct the address. Without DATABASE_URL, \`npm start\` starts its own PostgreSQL.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
