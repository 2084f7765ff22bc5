import Fastify from 'fastify';
import pg from 'pg';

/* The second reference: the simplest durable server. Fastify, one INSERT per request, durable, without any check. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query(
  'create table if not exists naive_event (id bigint generated always as identity, path text, body jsonb)',
);

const app = Fastify();
app.all('/*', async (request) => {
  await pool.query({
    name: 'insert',
    text: 'insert into naive_event (path, body) values ($1, $2)',
    values: [request.url, request.body],
  });
  return { status: 'ok' };
});
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.send?.('ready');

process.on('SIGTERM', () => process.exit(0));
