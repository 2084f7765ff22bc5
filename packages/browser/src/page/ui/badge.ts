import { countText } from './inbox/count.ts';

/**
 * Updates the page's own element that shows the unread count (`window.crm.inbox.badgeId`). At zero it is hidden in two
 * ways, because a rule like `.badge { display: flex }` overrides the attribute `hidden`. The page may add the element
 * later or replace it, as frameworks do.
 *
 * @returns functions to set the count and to stop
 */
export function watchBadge(id: string) {
  let unread = 0;
  let element: HTMLElement | null = null;
  let display = '';

  const show = () => {
    const found = document.getElementById(id);
    if (!found) return;
    if (found !== element) {
      element = found;
      display = found.style.display === 'none' ? '' : found.style.display;
    }
    const words = countText(unread);
    // Only differences are written, because each change would call the observer again.
    if (found.textContent !== words) found.textContent = words;
    found.hidden = !unread;
    found.style.display = unread ? display : 'none';
  };
  const observer = new MutationObserver(() => {
    if (document.getElementById(id) !== element) show();
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });

  const set = (count: number) => {
    unread = count;
    show();
  };
  return {
    set,
    stop() {
      observer.disconnect();
      set(0);
    },
  };
}
