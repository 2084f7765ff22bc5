/**
 * Error of a page or part whose script or style could not be loaded. The usual cause is an upgrade: the console was
 * built again, and the files of the page that is open no longer exist.
 */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the console could not be loaded.', { cause });
  }
}

/**
 * Wraps an import, so that it fails with `PartNotLoaded`. Otherwise the router would recognize the browser's own error
 * by its message, and reload the page without a notice.
 */
export const importPart =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    try {
      return await load();
    } catch (cause) {
      throw new PartNotLoaded(cause);
    }
  };
