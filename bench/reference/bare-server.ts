import { createServer } from 'node:http';

/*
 * The reference for ingest: the maximum of node:http. It parses the JSON and answers 200, without checking or storing anything.
 */
const answer = '{"status":"ok"}';
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, headers);
    response.end(answer);
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));

process.on('SIGTERM', () => process.exit(0));
