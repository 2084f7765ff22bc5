/** A rule that is being edited. It is JSON, and may be incomplete. */
export type ReadRule = { rule: unknown; problem: null } | { rule: null; problem: string };

export function readRule(text: string): ReadRule {
  try {
    return { rule: JSON.parse(text), problem: null };
  } catch (error) {
    return { rule: null, problem: (error as Error).message };
  }
}

export const writeRule = (rule: unknown) => JSON.stringify(rule, null, 2);
