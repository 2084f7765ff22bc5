/** An error in a scenario; its message is written for the author. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
  /** The errors by JSON path, if the scenario has wrong values. */
  readonly errors: readonly { path: string; message: string }[];

  constructor(message: string, errors: readonly { path: string; message: string }[] = []) {
    super(message);
    this.errors = errors;
  }
}
