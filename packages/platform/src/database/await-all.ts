/** SQLSTATE of a statement that was not run because an earlier one of its transaction had failed. */
const notRun = '25P02';

/**
 * Waits for statements of one transaction that were passed together. They are sent to the server together, and run in
 * the order in which they were passed. So a later statement sees what an earlier one wrote.
 *
 * Unlike `Promise.all`, it also waits for the other statements after a failure. If one were still in the queue of the
 * connection when the caller rolls back, it would run outside the transaction.
 *
 * @throws the first failure, and not that of a statement that was refused because of it
 */
export async function awaitAll<const Given extends readonly unknown[]>(
  given: Given,
): Promise<{ -readonly [Place in keyof Given]: Awaited<Given[Place]> }> {
  const outcomes = await Promise.allSettled(given);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((failure) => codeOf(failure) !== notRun) ?? failures[0];
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Place in keyof Given]: Awaited<Given[Place]>;
  };
}

function codeOf(failure: unknown): unknown {
  return (failure as { code?: unknown } | null)?.code;
}
