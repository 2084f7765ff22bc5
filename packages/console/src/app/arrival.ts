/**
 * The query string of the address that the browser opened, read before the router rewrites the address. The answer of
 * an identity provider is passed on unchanged.
 */
export const arrivedWith = window.location.search.slice(1);
