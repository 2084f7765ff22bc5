/** A mistake in a scenario: its message is for whoever wrote it. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
}
