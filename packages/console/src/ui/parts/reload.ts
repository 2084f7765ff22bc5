/*
 * Reloading the page after an upgrade.
 *
 * A page that lacks a file reloads itself once, and says so afterwards. It does not reload if
 *   - it has unsaved changes,
 *   - it reloaded in the last minute, because the reload did not help, or
 *   - the platform does not answer, because the browser would only show its own error page.
 * Then it shows a button.
 */

/** Keys of the storage of the browser's tab. */
const reloadedAt = 'croupier-reloaded-at';
const isNoticeDue = 'croupier-reload-notice';
/** For this many milliseconds after a reload, the page does not reload itself again. */
const pauseMs = 60_000;

/** Returns whether the page has unsaved changes. Such a page asks for confirmation before it is unloaded. */
function hasUnsavedChanges(): boolean {
  const unload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(unload);
  return unload.defaultPrevented;
}

async function isPlatformAnswering(): Promise<boolean> {
  try {
    return (await fetch('/console', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/** Reloads the page, unless it must not be reloaded. @returns false if it was not reloaded */
export async function reloadOnce(): Promise<boolean> {
  const isRecent = Date.now() - Number(sessionStorage.getItem(reloadedAt)) < pauseMs;
  if (isRecent || !(await isPlatformAnswering()) || hasUnsavedChanges()) return false;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  sessionStorage.setItem(isNoticeDue, 'yes');
  window.location.reload();
  return true;
}

/** Returns whether the page has reloaded itself and has not told the user yet. It returns true only once. */
export function takeReloadNotice(): boolean {
  const isDue = sessionStorage.getItem(isNoticeDue) !== null;
  sessionStorage.removeItem(isNoticeDue);
  return isDue;
}
