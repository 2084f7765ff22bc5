const followed = /^(https?|mailto|tel):$/;
const shown = /^https?:$/;

/** An address that may be followed: http(s), mailto and tel, or relative to the page. Never `javascript:` or `data:`. */
export function safeLink(address: string | null | undefined): string | undefined {
  return checked(address, followed);
}

export function safeImage(address: string | null | undefined): string | undefined {
  return checked(address, shown);
}

/** Read by the browser's own parser, which ignores line breaks and control characters inside "java\nscript:" as navigation does. */
function checked(address: string | null | undefined, protocols: RegExp): string | undefined {
  if (!address?.trim()) return undefined;
  try {
    const { href, protocol } = new URL(address, document.baseURI);
    return protocols.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
