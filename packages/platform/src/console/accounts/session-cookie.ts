import type { FastifyReply, FastifyRequest } from 'fastify';

/*
 * The console's page keeps its session in a cookie that no script can read. The browser sends such a cookie with every request,
 * so a call that changes something is accepted only with the header below, which no page of another origin can set.
 */
const cookieName = 'croupier_console';
/** The cookie is sent to the console API only. */
const cookiePath = '/api/console';
/** Set by the console's page on every call. */
const pageHeader = 'x-croupier-console';
const safeMethods = new Set(['GET', 'HEAD']);

/** The session token in the cookie. Null if there is none, or if the call changes something and lacks the page's header. */
export function cookieToken({ headers, method }: Pick<FastifyRequest, 'headers' | 'method'>): string | null {
  if (!safeMethods.has(method) && headers[pageHeader] === undefined) return null;
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName && value !== '') return value;
  }
  return null;
}

/** Stores the session in the browser for the given number of seconds; 0 deletes it. */
export function keepInCookie(reply: FastifyReply, { token, seconds }: { token: string; seconds: number }): void {
  const secure = reply.request.protocol === 'https' ? '; Secure' : '';
  const cookie = `${cookieName}=${token}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  reply.header('set-cookie', cookie);
}
