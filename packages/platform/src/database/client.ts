import type { Socket } from 'node:net';
import pg from 'pg';
import { packArrays } from './array-parameters.ts';

type Query = (statement: unknown, ...rest: unknown[]) => unknown;

/**
 * The driver's client, but that it sends arrays in binary (array-parameters.ts), and that its loss never ends the process.
 *
 * The driver emits `error` when a connection ends outside a statement, and Node.js ends a process in which nobody listens. A caller's
 * listener comes too late: a worker that stood still finds the answer to its last statement and the end of the connection in one
 * piece, before the caller that gets the connection next has run. The next statement fails anyway; who must know earlier listens too.
 */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
    const send = this.query.bind(this) as unknown as Query;
    const query = config?.pipeline ? sentTogether(this, send) : send;
    const packing: Query = (statement, values, ...rest) => {
      if (typeof statement === 'string' && Array.isArray(values)) {
        return query(statement, packArrays(statement, values), ...rest);
      }
      if (isConfig(statement) && Array.isArray(statement.values)) {
        return query({ ...statement, values: packArrays(statement.text, statement.values) }, values, ...rest);
      }
      return query(statement, values, ...rest);
    };
    this.query = packing as unknown as typeof this.query;
  }
}

/**
 * Statements that are given in one turn of the event loop go to the server in one write: each write wakes its process, which costs some 0.3 ms
 * on two busy cores. The driver does not show its stream.
 */
function sentTogether(client: pg.Client, query: Query): Query {
  let isGathering = false;
  return (...statement) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    if (!isGathering) {
      isGathering = true;
      stream.cork();
      setImmediate(() => {
        isGathering = false;
        stream.uncork();
      });
    }
    return query(...statement);
  };
}

/** Statements with a life of their own, such as cursors, are left alone. */
function isConfig(statement: unknown): statement is pg.QueryConfig {
  return typeof statement === 'object' && statement !== null && !('submit' in statement) && 'text' in statement;
}
