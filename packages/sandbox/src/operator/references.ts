/** The names of the reference headers in a bonus event (docs/reference/decisions.md 6). */
const referenceNames: Record<string, string> = {
  id: 'id',
  activityid: 'activity_id',
  actionid: 'action_id',
  actiongroupid: 'action_group_id',
  triggerhash: 'trigger_hash',
};

/** Returns `X-<prefix>-Activityid: 7` as `activity_id: "7"`, with any prefix that the brand uses. */
export function referencesIn(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const reference = referenceNames[/^x-[a-z0-9]+-([a-z]+)$/.exec(name)?.[1] ?? ''];
      return reference === undefined ? [] : [[reference, value]];
    }),
  );
}
