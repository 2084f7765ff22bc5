/** The part of the environment that decides whether the stack is shown. */
type Environment = Partial<Record<'LOG_LEVEL', string>>;

/**
 * The message for an error that no text explains: what happened, its causes, and what to do, as one paragraph. The stack
 * traces follow only with LOG_LEVEL=debug or trace, because they help only to repair Croupier itself.
 *
 * Of each error it shows only message and stack. Other data may be personal, such as the row in the `detail` of a database
 * error.
 */
export function describeUnknownFailure(error: unknown, env: Environment = process.env): string {
  const chain = chainOf(error);
  const [first = '', ...causes] = chain.map(messageOf);
  const because = causes.length > 0 ? ` Cause: ${causes.join(', caused by: ')}.` : '';
  const showsStack = ['debug', 'trace'].includes(env.LOG_LEVEL ?? '');
  const next = showsStack
    ? 'Report this as a defect, with the lines below.'
    : 'If the message does not say what to correct, run the same command again with LOG_LEVEL=debug, and report the output as a defect.';
  const stacks = chain.map((one) => (one instanceof Error ? `\n${one.stack}` : ''));
  return `An unexpected error occurred: ${first}.${because} ${next}${showsStack ? stacks.join('') : ''}`;
}

/** The error, its cause, the cause of that, and so on. A chain of more than ten is cut, because it may be a circle. */
function chainOf(error: unknown): unknown[] {
  const chain = [error];
  for (let last = error; last instanceof Error && last.cause !== undefined && chain.length < 10; ) {
    last = last.cause;
    chain.push(last);
  }
  return chain;
}

/** The message on one line, without its final period. An error without a message is described by its errors, its code or its name. */
function messageOf(error: unknown): string {
  const message =
    error instanceof Error ? error.message || errorsIn(error) || codeOf(error) || error.name : String(error);
  return message.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
}

function errorsIn(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : '';
}

function codeOf({ code }: Error & { code?: unknown }): string {
  return typeof code === 'string' ? code : '';
}
