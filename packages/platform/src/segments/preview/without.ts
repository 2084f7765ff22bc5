import { type Group, isGroup, type Rule } from '@croupier/rules';

/*
 * SQL for a rule over columns that contain the answers to its conditions, and for the rule without each of these conditions.
 *
 * Writing the rule again for every condition would take 40,000 terms for 200 conditions, and PostgreSQL would need seconds to plan
 * them. So each group counts once how many of its members decide against it: the members of an `and` that fail, or the members of an
 * `or` that hold. The answer without one member follows from that number.
 */
export interface RuleWithout {
  /** SQL from a row to the same row with the numbers of each group. */
  readonly rows: string;
  /** SQL: whether the rule holds. */
  readonly whole: string;
  /** SQL, keyed by the JSON path of a condition: whether the rule holds without this condition. */
  readonly without: ReadonlyMap<string, string>;
}

interface Tallied {
  readonly group: Group;
  readonly column: string;
}

/**
 * @param columns the column of each condition, by its JSON path
 * @param rows SQL of the rows with these columns
 */
export function ruleWithout(rule: Rule, columns: ReadonlyMap<string, string>, rows: string): RuleWithout {
  const levels: { column: string; sql: string }[][] = [];
  const tallied = new Map<string, Tallied>();
  collect(rule, '', 0);
  let text = rows;
  // A group can be counted after those within it. `offset 0` keeps PostgreSQL from writing out each column wherever it is used.
  for (const level of levels.reverse()) {
    const counts = level.map(({ column, sql }) => `, ${sql} as ${column}`).join('');
    text = `select r.*${counts} from (${text} offset 0) r`;
  }
  const without = new Map([...columns.keys()].map((path) => [path, withoutCondition(path)]));
  return { rows: `${text} offset 0`, whole: answerOf(rule, ''), without };

  function collect(group: Group, path: string, depth: number): void {
    const column = `g${tallied.size + 1}`;
    tallied.set(path, { group, column });
    const terms = group.rules.map((node, index) => {
      const own = `${path}/rules/${index}`;
      if (isGroup(node)) collect(node, own, depth + 1);
      return term(group, memberOf(node, own));
    });
    levels[depth] ??= [];
    levels[depth].push({ column, sql: terms.length === 0 ? '0' : terms.join(' + ') });
  }

  function memberOf(node: Group['rules'][number], path: string): string {
    return isGroup(node) ? answerOf(node, path) : known(columns, path);
  }

  function answerOf(group: Group, path: string): string {
    return answer(group, known(tallied, path).column, group.rules.length);
  }

  function withoutCondition(path: string): string {
    let [own, changed] = [path, known(columns, path)];
    let left = true;
    for (let parent = parentOf(own); parent !== undefined; parent = parentOf(own)) {
      const { group, column } = known(tallied, parent);
      const before = left ? term(group, changed) : term(group, memberAt(own));
      const after = left ? '' : ` + ${term(group, changed)}`;
      changed = answer(group, `${column} - ${before}${after}`, group.rules.length - (left ? 1 : 0));
      left = false;
      own = parent;
    }
    return changed;
  }

  function memberAt(path: string): string {
    return answerOf(known(tallied, path).group, path);
  }
}

/** 1 if the member decides against its group: it fails in an `and`, or holds in an `or`. */
function term({ combinator }: Group, member: string): string {
  return combinator === 'and' ? `(not ${member})::int` : `(${member})::int`;
}

/** A group without members holds. */
function answer({ combinator, not }: Group, tally: string, members: number): string {
  const all = members === 0 ? 'true' : combinator === 'and' ? `(${tally} = 0)` : `(${tally} > 0)`;
  return not === true ? `(not ${all})` : all;
}

/** Throws for a missing path, because a guess would give a wrong count. */
function known<T>(byPath: ReadonlyMap<string, T>, path: string): T {
  const found = byPath.get(path);
  if (found === undefined) throw new Error(`the rule has nothing at ${path}`);
  return found;
}

function parentOf(path: string): string | undefined {
  return path === '' ? undefined : path.replace(/\/rules\/\d+$/, '');
}
