import css from './crm.css';

let isAdopted = false;

/**
 * A policy without 'unsafe-inline' refuses style elements, but not sheets that a script creates; the page's own sheets stay
 * unchanged. Done once per page and never undone: the sheet affects only the widget, which is usually mounted again.
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
