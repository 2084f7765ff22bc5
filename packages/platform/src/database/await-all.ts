/** SQLSTATE of a statement that was not run because an earlier one of its transaction had failed. */
const notRun = '25P02';

/**
 * Waits for statements of one transaction that were given together. They travel to the server together and are run in the order in
 * which they were given, so a later one sees what an earlier one wrote.
 *
 * Unlike `Promise.all`, it also waits for the others after a failure: none may still be given to the connection when the caller
 * rolls back, because it would then run outside the transaction.
 *
 * @throws the failure that caused the others: not that of a statement that was refused because of it
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
