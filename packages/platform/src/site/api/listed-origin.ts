import type { Brand } from '../../brands/index.ts';

/** Whether this origin is listed for the brand (setting site_origins), for calls and for sockets. Pure. */
export function isListedOrigin(origin: string, { settings }: Pick<Brand, 'settings'>): boolean {
  return settings.site_origins.some((listed) => originOf(listed) === origin);
}

/** Converts what a person typed to the form that browsers send: lower case, no path, no default port. */
function originOf(listed: string): string {
  return URL.parse(listed)?.origin ?? listed;
}
