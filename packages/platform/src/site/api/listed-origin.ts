import type { Brand } from '../../brands/index.ts';

/** Whether pages of this origin are listed for the brand (setting site_origins), for calls and for sockets alike. Pure. */
export function isListedOrigin(origin: string, { settings }: Pick<Brand, 'settings'>): boolean {
  return settings.site_origins.some((listed) => originOf(listed) === origin);
}

/** As browsers write it, whatever a person typed: lower case, no path, no default port. */
function originOf(listed: string): string {
  return URL.parse(listed)?.origin ?? listed;
}
