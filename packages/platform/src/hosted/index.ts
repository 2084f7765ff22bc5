/** Front door of the hosted pages. */
export {};
