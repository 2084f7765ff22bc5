import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from '../../dist/schema.d.ts';
import { problemMessage, unansweredMessage } from '../text/problems.ts';

/** The error that the platform returns for a refused call (docs/errors.md). */
export class ApiProblem extends Error {
  readonly status: number;
  /** Code of the error, such as `conflict`. */
  readonly code: string;
  /** Messages, each with the path of its field. */
  readonly errors: readonly { path: string; message: string }[];

  constructor(
    status: number,
    { code = 'unknown', title = '', detail = '', errors = [] }: Partial<ProblemBody>,
    writtenIn: string | null = null,
  ) {
    super(problemMessage(document.documentElement.lang, { status, code, title, detail, writtenIn }));
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** Whether a call was refused because the object was changed, or because its state does not allow the call. */
export const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.status === 409;

/** The error of a call that got no answer, because the network or the server is down. */
export class Unanswered extends Error {
  constructor(cause: unknown) {
    super(unansweredMessage(document.documentElement.lang), { cause });
  }
}

/** Returns the error of a call that `fetch` rejected. A call that the page itself cancelled keeps its error. */
export const whyUnanswered = (error: unknown): Error =>
  error instanceof DOMException && error.name === 'AbortError' ? error : new Unanswered(error);

interface ProblemBody {
  code: string;
  title: string;
  detail: string;
  errors: { path: string; message: string }[];
}

/**
 * Sets the headers of every call. The session is in a cookie that scripts cannot read. The platform accepts a change
 * only with the header x-croupier-console, which other origins cannot set.
 */
const ofThisPage: Middleware = {
  onRequest({ request }) {
    request.headers.set('x-croupier-console', '1');
    // Texts that the platform writes are in the language of the page (text/text.tsx).
    request.headers.set('accept-language', document.documentElement.lang);
    return request;
  },
  onError: ({ error }) => whyUnanswered(error),
  async onResponse({ response }) {
    if (response.ok) return response;
    const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>;
    throw new ApiProblem(response.status, body, response.headers.get('content-language'));
  },
};

/** The client of the console API. A call throws `ApiProblem` for every answer that is not a success. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });
api.use(ofThisPage);

/** Returns the body of an answer that has one. */
export async function bodyOf<Body>(call: Promise<{ data?: Body | undefined }>): Promise<Body> {
  const { data } = await call;
  if (data === undefined) throw new ApiProblem(204, { detail: 'The answer has no body.' });
  return data;
}
