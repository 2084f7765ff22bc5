const zones = Intl.supportedValuesOf('timeZone');

/** The time zones that the user can choose. The current one is among them, even if this browser does not know it. */
export const zonesWith = (zone: string): string[] => (zones.includes(zone) || zone === '' ? zones : [zone, ...zones]);
