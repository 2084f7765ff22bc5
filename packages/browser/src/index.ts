/** Front door of the browser script, for the server that serves it. */
export {};
