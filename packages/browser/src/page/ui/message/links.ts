/**
 * Returns an address that may be followed: http(s), mailto and tel, or relative to the page. `javascript:` and `data:`
 * are never allowed. The browser's own parser reads the address. Like navigation, it ignores line breaks and control
 * characters inside "java\nscript:".
 */
export function safeLink(address: string, protocols = /^(https?|mailto|tel):$/): string | undefined {
  if (!address.trim()) return;
  try {
    const { href, protocol } = new URL(address, document.baseURI);
    if (protocols.test(protocol)) return href;
  } catch {
    // Not a valid address.
  }
}

export const safeImage = (address: string) => safeLink(address, /^https?:$/);
