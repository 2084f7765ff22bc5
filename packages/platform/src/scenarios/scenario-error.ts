/** An error in a scenario; its message is written for the author. */
export class ScenarioError extends Error {
  override name = 'ScenarioError';
}
