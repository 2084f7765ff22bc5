import type { FastifyReply, FastifyRequest } from 'fastify';

/*
 * The console's page keeps its session in a cookie that no script can read. Such a cookie is sent by the browser alone, so a call that changes
 * something counts only with the header below, which no page of another origin can set.
 */
const cookieName = 'croupier_console';
/** Only the console API gets the cookie. */
const cookiePath = '/api/console';
/** Set by the console's page on every call. */
const pageHeader = 'x-croupier-console';
const safeMethods = new Set(['GET', 'HEAD']);

/** The session token of the cookie. Null without one, and for a change that does not come from the console's page. */
export function cookieToken({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>): string | null {
  if (!safeMethods.has(method) && headers[pageHeader] === undefined) return null;
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName && value !== '') return value;
  }
  return null;
}

/** Keeps the session in the browser for so many seconds; 0 ends it there. */
export function keepInCookie(reply: FastifyReply, { token, seconds }: { token: string; seconds: number }): void {
  const secure = reply.request.protocol === 'https' ? '; Secure' : '';
  const kept = `${cookieName}=${token}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  reply.header('set-cookie', kept);
}
