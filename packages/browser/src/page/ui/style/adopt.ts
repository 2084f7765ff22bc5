import css from './crm.css';

let isAdopted = false;

/**
 * Adds the style sheet to the page. A policy without 'unsafe-inline' refuses style elements, but not sheets that a
 * script creates. The page's own sheets stay unchanged. This is done once per page and never undone, because the sheet
 * affects only the widget, which is usually mounted again.
 */
export function adoptStyles(nonce: string): void {
  if (isAdopted) return;
  isAdopted = true;
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  } catch {
    // For Safari before 16.4.
    const element = document.createElement('style');
    element.nonce = nonce;
    element.textContent = css;
    document.head.append(element);
  }
}
