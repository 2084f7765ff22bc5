import css from './crm.css';

let isAdopted = false;

/**
 * A policy without 'unsafe-inline' refuses style elements, but not sheets that a script makes; the page's own sheets stay as they are.
 * Once on a page, for good: it says nothing of anything but the widget, which mostly comes back when it goes.
 */
export function adoptStyles(nonce: string): void {
  if (isAdopted) return;
  isAdopted = true;
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  } catch {
    // Safari before 16.4.
    const element = document.createElement('style');
    element.nonce = nonce;
    element.textContent = css;
    document.head.append(element);
  }
}
