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
/** Milliseconds after a reload in which the page does not reload itself again. */
const pauseMs = 60_000;

/** A page asks for confirmation before it is unloaded if it has unsaved changes. */
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

/** Reloads the page, unless it must not. @returns false if it did not */
export async function reloadOnce(): Promise<boolean> {
  const isRecent = Date.now() - Number(sessionStorage.getItem(reloadedAt)) < pauseMs;
  if (isRecent || !(await isPlatformAnswering()) || hasUnsavedChanges()) return false;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  sessionStorage.setItem(isNoticeDue, 'yes');
  window.location.reload();
  return true;
}

/** Whether the page has reloaded itself and has not said so yet. True once. */
export function takeReloadNotice(): boolean {
  const isDue = sessionStorage.getItem(isNoticeDue) !== null;
  sessionStorage.removeItem(isNoticeDue);
  return isDue;
}
