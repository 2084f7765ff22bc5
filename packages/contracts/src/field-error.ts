/** One error in a message: where, which rule, and one sentence with the rule and the fix. */
export interface FieldError {
  /** `exchange_rate`, `tickets[0].ticket_id`; empty for the body as a whole. */
  path: string;
  /** Name of the rule, stable for programs. `ruleMeanings` lists those of events. */
  rule: string;
  message: string;
}
