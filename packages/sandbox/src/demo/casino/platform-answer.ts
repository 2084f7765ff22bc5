/** The platform's answer to one event, as the developers' page shows it. */
export interface PlatformAnswer {
  status: number;
  /** `ok`, `quarantined`, or the code of a problem (docs/errors.md). Empty if the answer cannot be read. */
  result: string;
  /** What is wrong, for people. Empty if nothing is. */
  detail: string;
  /** Each invalid field. The path is empty if the whole body is invalid. */
  errors: { path: string; message: string }[];
}

/** Reads an answer of the integration API. The answer can also be that of a proxy, so it may contain anything. */
export function readAnswer(status: number, text: string): PlatformAnswer {
  const body = recordOf(text);
  const errors = Array.isArray(body.errors) ? body.errors : [];
  return {
    status,
    result: wordsOf(status === 200 ? body.status : body.code),
    detail: wordsOf(body.detail),
    errors: errors.map((error) => ({ path: wordsOf(error?.path), message: wordsOf(error?.message) })),
  };
}

function recordOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
