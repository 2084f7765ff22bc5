/** One error in a message: its place, the violated rule, and one sentence with the rule and the fix. */
export interface FieldError {
  /** Place of the error: `exchange_rate`, `tickets[0].ticket_id`; empty for the body as a whole. */
  path: string;
  /** Name of the rule, stable for programs. `ruleMeanings` lists the rules of events. */
  rule: string;
  message: string;
}
