import css from './crm.css';

/** A policy without 'unsafe-inline' refuses style elements, but not sheets that a script makes; the page's own sheets stay as they are. */
export function adoptStyles(nonce: string): () => void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  } catch {
    // Safari before 16.4.
    const element = document.createElement('style');
    element.nonce = nonce;
    element.textContent = css;
    document.head.append(element);
    return () => element.remove();
  }
}
