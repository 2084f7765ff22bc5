import type { Installation } from '../faults/installation/installation.ts';

export interface Answer {
  status: number;
  contentType: string | null;
  body: unknown;
}

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Makes one call to the integration API, and changes nothing in it. */
export async function call({ url }: Installation, { path, ...request }: Call): Promise<Answer> {
  const answer = await fetch(url + path, request);
  const text = await answer.text();
  return { status: answer.status, contentType: answer.headers.get('content-type'), body: JSON.parse(text) };
}

/** Publishes an event as the brand's operator does. */
export function publish(installation: Installation, path: string, event: Record<string, unknown>): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-api-key': installation.key };
  return call(installation, { method: 'POST', path, headers, body: JSON.stringify(event) });
}
