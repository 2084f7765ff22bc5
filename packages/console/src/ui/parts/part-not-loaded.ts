/**
 * A script or style of a page or part could not be loaded. The usual cause is an upgrade: the console was built again, and the files of
 * the page that is open are gone.
 */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the console could not be loaded.', { cause });
  }
}

/** The same import, which fails with `PartNotLoaded`. The router recognizes the browser's own error by its message, and reloads the page without a notice. */
export const importPart =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    try {
      return await load();
    } catch (cause) {
      throw new PartNotLoaded(cause);
    }
  };
