/** Lifetime of an AuthToken in seconds (docs/reference/decisions.md 8). */
export const tokenSeconds = 3_600;
