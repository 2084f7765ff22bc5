/** The query with which the browser arrived, before the router reads and rewrites it: the answer of an identity provider is passed on as it is. */
export const arrivedWith = window.location.search.slice(1);
