import { type Catalog, checkRule, isDid, isGroup, type RuleNode, readDuration } from '@croupier/rules';
import { allSteps, type Campaign, channels, kindOf, type Step, stepKinds } from './document.ts';
import { isDay, isTimeOfDay, isUntil, stepOf } from './schedule.ts';
import { countOf } from './sentences.ts';
import { unstorableTexts } from './storable.ts';

/** An error in a campaign, and its position: a JSON path such as /steps/0/send/template. */
export interface CampaignError {
  path: string;
  message: string;
}

/** The names that a brand defines. */
export interface Known {
  catalog: Catalog;
  segments: ReadonlySet<string>;
  /** By code. */
  templates: ReadonlyMap<string, { channel: string; purpose: string }>;
  /** The events that campaigns can use, by name. For each field that has a fixed list of values, the map contains the list. */
  events: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

export const mostSteps = 100;
const mostErrors = 20;
const codePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** All errors in a document, in its order; empty if it can be published. Accepts any JSON. */
export function checkCampaign(document: unknown, known: Known): CampaignError[] {
  const check = new Check(known);
  check.campaign(document);
  return check.errors.slice(0, mostErrors);
}

type Json = Readonly<Record<string, unknown>>;

/** Operators whose value is one of the values that a field can have, or a list of them. */
const namingValues: ReadonlySet<string> = new Set(['=', '!=', 'in', 'notIn']);

function orOf(values: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(values);
}

class Check {
  readonly errors: CampaignError[] = [];
  readonly #known: Known;
  #purpose: unknown;

  constructor(known: Known) {
    this.#known = known;
  }

  campaign(document: unknown): undefined {
    if (!isObject(document)) return this.#say('', 'a campaign must be an object');
    this.errors.push(...unstorableTexts(document));
    this.#only(document, '', [
      'code',
      'name',
      'entry',
      'audience',
      'reentry',
      'purpose',
      'priority',
      'products',
      'goal',
      'exit_when',
      'halt',
      'steps',
    ]);
    if (typeof document.code !== 'string' || !codePattern.test(document.code))
      this.#say('/code', 'code must have 1 to 64 characters of a-z, 0-9, _ and -, and start with a letter or digit');
    if (typeof document.name !== 'string' || document.name.trim() === '') this.#say('/name', 'name is required');
    this.#entry(document.entry);
    if (document.audience !== undefined) this.#rule(document.audience, '/audience');
    if (document.exit_when !== undefined) this.#rule(document.exit_when, '/exit_when');
    if (document.reentry !== undefined) this.#reentry(document.reentry);
    this.#purpose = document.purpose;
    if (document.purpose !== undefined && document.purpose !== 'marketing' && document.purpose !== 'service')
      this.#say('/purpose', 'purpose must be marketing or service');
    const { priority = 50, products = [] } = document;
    if (!Number.isInteger(priority) || Number(priority) < 0 || Number(priority) > 100)
      this.#say('/priority', 'priority must be a whole number from 0 to 100');
    this.#products(products, '/products');
    if (document.goal !== undefined) this.#matcher(document.goal, '/goal', 'within');
    if (document.halt !== undefined) this.#halt(document.halt);
    this.#steps(document.steps, '/steps');
    if (this.errors.length > 0) return;
    const ids = allSteps((document as unknown as Campaign).steps).map(({ id }) => id);
    for (const id of new Set(ids.filter((one, place) => ids.indexOf(one) !== place)))
      this.#say('/steps', `two steps have the id ${id}`);
    if (ids.length > mostSteps)
      this.#say('/steps', `a campaign can have at most ${mostSteps} steps; this one has ${ids.length}`);
  }

  #entry(entry: unknown): undefined {
    if (!isObject(entry)) return this.#say('/entry', 'entry is required: an event, a segment, a schedule, or api');
    if ('event' in entry) return this.#matcher(entry, '/entry');
    if ('segment' in entry) {
      this.#only(entry, '/entry', ['segment', 'on']);
      if (typeof entry.segment !== 'string' || !this.#known.segments.has(entry.segment))
        this.#say('/entry/segment', `the brand has no segment ${String(entry.segment)}`);
      if (entry.on !== 'entered' && entry.on !== 'left') this.#say('/entry/on', 'on must be entered or left');
      return;
    }
    if ('schedule' in entry) {
      this.#only(entry, '/entry', ['schedule', 'to']);
      if (entry.to !== undefined && !(typeof entry.to === 'string' && this.#known.segments.has(entry.to)))
        this.#say('/entry/to', `the brand has no segment ${String(entry.to)}`);
      return this.#schedule(entry.schedule, '/entry/schedule');
    }
    this.#only(entry, '/entry', ['api']);
    if (entry.api !== true) this.#say('/entry', 'entry must be an event, a segment, a schedule, or api: true');
  }

  #schedule(schedule: unknown, path: string): undefined {
    if (!isObject(schedule)) return this.#say(path, 'schedule must be { at } or { every, at }');
    this.#only(schedule, path, ['every', 'at', 'from', 'zone']);
    const { every, at, from, zone } = schedule;
    if (zone !== undefined && zone !== 'player' && zone !== 'brand') this.#say(`${path}/zone`, 'write player or brand');
    if (every === undefined) {
      if (from !== undefined) this.#say(`${path}/from`, 'from requires every');
      const [day = '', time = '', ...more] = typeof at === 'string' ? at.split('T') : [];
      if (!isDay(day) || !isTimeOfDay(time) || more.length > 0)
        this.#say(`${path}/at`, 'write a date and a time such as 2026-12-24T18:00, or every and a time');
      return;
    }
    if (typeof every !== 'string' || stepOf(every) === undefined)
      this.#say(`${path}/every`, 'write whole days, months or years, such as P1D, P7D, P1M or P1Y');
    if (typeof at !== 'string' || !isTimeOfDay(at)) this.#say(`${path}/at`, 'write a time of day such as 10:00');
    if (from !== undefined && !(typeof from === 'string' && isDay(from)))
      this.#say(`${path}/from`, 'write a date such as 2026-12-24');
  }

  #reentry(reentry: unknown): undefined {
    if (!isObject(reentry)) return this.#say('/reentry', 'reentry must be { times } or { after }');
    if ('after' in reentry) {
      this.#only(reentry, '/reentry', ['after']);
      return this.#duration(reentry.after, '/reentry/after');
    }
    this.#only(reentry, '/reentry', ['times', 'while_running']);
    const { times, while_running } = reentry;
    if (while_running !== undefined && typeof while_running !== 'boolean')
      this.#say('/reentry/while_running', 'while_running must be true or false');
    if (times !== 'unlimited' && !(Number.isInteger(times) && Number(times) >= 1))
      this.#say('/reentry/times', 'times must be a whole number from 1, or unlimited');
  }

  #halt(halt: unknown): undefined {
    if (!isObject(halt)) return this.#say('/halt', 'halt must be an object of limits, such as { failed: 5 }');
    const percents = ['failed', 'withheld', 'unsubscribed', 'complained'];
    this.#only(halt, '/halt', [...percents, 'entered_per_day', 'after']);
    for (const name of percents) {
      const value = halt[name];
      if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 100))
        this.#say(`/halt/${name}`, `${name} must be a percentage from 0 to 100`);
    }
    for (const name of ['entered_per_day', 'after']) {
      const value = halt[name];
      if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 1e9))
        this.#say(`/halt/${name}`, `${name} must be a whole number from 1`);
    }
  }

  #matcher(matcher: unknown, path: string, ...more: readonly string[]): undefined {
    if (!isObject(matcher)) return this.#say(path, 'must be an object with an event');
    this.#only(matcher, path, ['event', 'where', ...more]);
    if (typeof matcher.event !== 'string' || !this.#known.events.has(matcher.event))
      return this.#say(`${path}/event`, `the event ${String(matcher.event)} does not exist`);
    if (matcher.within !== undefined) this.#duration(matcher.within, `${path}/within`);
    if (matcher.timeout !== undefined) this.#duration(matcher.timeout, `${path}/timeout`);
    if (matcher.where === undefined) return;
    const rule = countOf(matcher.event, matcher.where);
    const errors = checkRule(rule, this.#known.catalog);
    for (const error of errors)
      this.#say(`${path}/where${error.path.replace(/^\/rules\/0(?:\/value)?/, '')}`, error.message);
    if (errors.length === 0) this.#values(matcher.where as RuleNode, matcher.event, `${path}/where`);
  }

  /** A condition with a value that no event can have would never hold. Example: the `status` of a bet as a fact is not that of the event. */
  #values(node: RuleNode, event: string, path: string): undefined {
    if (isGroup(node)) {
      for (const [place, one] of node.rules.entries()) this.#values(one, event, `${path}/rules/${place}`);
      return;
    }
    if (isDid(node)) return;
    const values = this.#known.events.get(event)?.get(node.field);
    if (values === undefined || !namingValues.has(node.operator)) return;
    const named: unknown[] = Array.isArray(node.value) ? node.value : [node.value];
    const unknown = named.find((one) => !values.includes(String(one)));
    if (unknown !== undefined)
      this.#say(
        `${path}/value`,
        `the ${node.field} of the event ${event} is ${orOf(values)}, never ${String(unknown)}`,
      );
  }

  #rule(rule: unknown, path: string): undefined {
    for (const error of checkRule(rule, this.#known.catalog)) this.#say(path + error.path, error.message);
  }

  #steps(steps: unknown, path: string): undefined {
    if (!Array.isArray(steps)) return this.#say(path, 'steps must be a list');
    for (const [place, step] of steps.entries()) this.#step(step, `${path}/${place}`);
  }

  #step(step: unknown, path: string): undefined {
    if (!isObject(step)) return this.#say(path, 'a step must be an object');
    if (typeof step.id !== 'string' || !codePattern.test(step.id))
      this.#say(`${path}/id`, 'id must have 1 to 64 characters of a-z, 0-9, _ and -, and start with a letter or digit');
    const kind = kindOf(step as unknown as Step);
    if (kind === undefined) return this.#say(path, `a step must be one of ${stepKinds.join(', ')}`);
    this.#only(step, path, ['id', kind]);
    const own = step[kind];
    const at = `${path}/${kind}`;
    if (kind === 'tag' || kind === 'untag') {
      if (typeof own !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(own))
        this.#say(at, 'a tag must have 1 to 64 letters, digits, _ and -');
      return;
    }
    if (kind === 'branch' || kind === 'split') return this.#arms(kind, own, at);
    if (!isObject(own)) return this.#say(at, `${kind} must be an object`);
    switch (kind) {
      case 'send':
        this.#only(own, at, ['channel', 'template']);
        if (!channels.some((channel) => channel === own.channel))
          return this.#say(`${at}/channel`, `channel must be one of ${channels.join(', ')}`);
        return this.#template(own.template, String(own.channel), `${at}/template`);
      case 'webhook':
        return this.#template(own.template, 'webhook', `${at}/template`);
      case 'call_list':
        return this.#template(own.template, 'telephone', `${at}/template`);
      case 'wait':
        return this.#wait(own, at);
      case 'credit_funds':
        if (typeof own.amount !== 'string' || !/^\d{1,12}(?:\.\d{1,8})?$/.test(own.amount) || Number(own.amount) <= 0)
          this.#say(`${at}/amount`, 'amount must be a decimal string, such as "10.00"');
        if (typeof own.currency !== 'string' || !/^[A-Za-z0-9]{3,10}$/.test(own.currency))
          this.#say(`${at}/currency`, 'currency must be a code of 3 to 10 letters and digits, such as EUR');
        return this.#code(own, at, ['bonus_code', 'amount', 'currency', 'wagering', 'products']);
      case 'offer':
        if (own.expires_in !== undefined) this.#duration(own.expires_in, `${at}/expires_in`);
        return this.#code(own, at, ['bonus_code', 'expires_in', 'wagering', 'products']);
      case 'credit':
        return this.#code(own, at, ['bonus_code', 'wagering', 'products']);
      case 'exit':
        if (own.reason !== undefined && !(typeof own.reason === 'string' && isNameOf(own.reason)))
          this.#say(`${at}/reason`, 'reason must have 1 to 200 characters');
        return this.#only(own, at, ['reason']);
      default:
        return kind satisfies never;
    }
  }

  #wait(wait: Json, path: string): undefined {
    if ('for' in wait) {
      this.#only(wait, path, ['for']);
      return this.#duration(wait.for, `${path}/for`);
    }
    if ('until' in wait) {
      this.#only(wait, path, ['until', 'zone']);
      const { until, zone } = wait;
      if (typeof until !== 'string' || !isUntil(until))
        this.#say(
          `${path}/until`,
          'write a time of day such as 18:00, or a date such as 2026-12-24 or 2026-12-24T18:00',
        );
      if (zone !== undefined && zone !== 'player' && zone !== 'brand')
        this.#say(`${path}/zone`, 'write player or brand');
      return;
    }
    if (wait.timeout === undefined) this.#say(`${path}/timeout`, 'timeout is required');
    if ('rule' in wait) {
      this.#only(wait, path, ['rule', 'timeout']);
      this.#duration(wait.timeout, `${path}/timeout`);
      return this.#rule(wait.rule, `${path}/rule`);
    }
    this.#matcher(wait, path, 'timeout');
  }

  #arms(kind: 'branch' | 'split', arms: unknown, path: string): undefined {
    if (!Array.isArray(arms) || arms.length === 0) return this.#say(path, `${kind} must be a list`);
    for (const [place, arm] of arms.entries()) {
      const at = `${path}/${place}`;
      if (!isObject(arm)) this.#say(at, 'must be an object');
      else if (kind === 'split') this.#splitArm(arm, at);
      else if ('otherwise' in arm) {
        this.#only(arm, at, ['otherwise']);
        if (place < arms.length - 1) this.#say(at, 'otherwise must be the last arm, because no later arm is reached');
        this.#steps(arm.otherwise, `${at}/otherwise`);
      } else {
        this.#only(arm, at, ['when', 'steps']);
        this.#rule(arm.when, `${at}/when`);
        this.#steps(arm.steps, `${at}/steps`);
      }
    }
    if (kind === 'branch') return;
    const objects = arms.filter(isObject);
    const names = objects.map(({ name }) => name);
    const twice = names.find((name, place) => name !== undefined && names.indexOf(name) !== place);
    if (twice !== undefined) this.#say(path, `two arms have the name ${String(twice)}`);
    const sum = objects.reduce((all, { share }) => all + (typeof share === 'number' ? share : 0), 0);
    if (Math.abs(sum - 100) > 1e-9)
      this.#say(path, `the shares of a split must add up to 100 percent; these add up to ${sum}`);
  }

  #splitArm(arm: Json, at: string): undefined {
    const { name, share, control, steps } = arm;
    this.#only(arm, at, ['name', 'share', 'control', 'steps']);
    if (typeof name !== 'string' || !isNameOf(name)) this.#say(`${at}/name`, 'name must have 1 to 200 characters');
    if (typeof share !== 'number' || share < 0) this.#say(`${at}/share`, 'share must be a percentage');
    if (control !== undefined && typeof control !== 'boolean')
      this.#say(`${at}/control`, 'control must be true or false');
    if (steps === undefined) return;
    this.#steps(steps, `${at}/steps`);
    if (control === true && Array.isArray(steps) && steps.length > 0)
      this.#say(`${at}/steps`, 'a control arm receives nothing, so it cannot have steps');
  }

  #template(code: unknown, channel: string, path: string): undefined {
    const own = typeof code === 'string' ? this.#known.templates.get(code) : undefined;
    if (own === undefined) return this.#say(path, `the brand has no template ${String(code)}`);
    if (own.channel !== channel && !(own.channel === 'site' && channel === 'push'))
      this.#say(path, `the template ${String(code)} has the channel ${own.channel}`);
    if (own.purpose === 'marketing' && this.#purpose === 'service')
      this.#say(path, `the template ${String(code)} is marketing, so a service campaign cannot use it`);
  }

  #code(own: Json, path: string, names: readonly string[]): undefined {
    this.#only(own, path, names);
    if (own.wagering !== undefined && (typeof own.wagering !== 'number' || own.wagering < 0))
      this.#say(`${path}/wagering`, 'wagering must be the number of times that the bonus has to be wagered');
    if (own.products !== undefined) this.#products(own.products, `${path}/products`);
    if (typeof own.bonus_code !== 'string' || !isNameOf(own.bonus_code))
      this.#say(`${path}/bonus_code`, 'bonus_code must have 1 to 200 characters');
  }

  #products(products: unknown, path: string): undefined {
    if (!Array.isArray(products) || products.some((one) => typeof one !== 'string' || one === ''))
      this.#say(path, 'products must be a list of names, such as casino');
  }

  #duration(text: unknown, path: string): undefined {
    const length = typeof text === 'string' ? readDuration(text) : undefined;
    if (length === undefined || length < 1_000_000 || length > 366 * 86_400_000_000)
      this.#say(path, 'must be an ISO 8601 duration from PT1S to P366D, such as PT1H');
  }

  #only(object: Json, path: string, names: readonly string[]): undefined {
    for (const name of Object.keys(object))
      if (!names.includes(name)) this.#say(`${path}/${name}`, `${name} is unknown`);
  }

  #say(path: string, message: string): undefined {
    this.errors.push({ path, message });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text is a valid name. Runs and results store such names, and timelines show them. */
function isNameOf(text: string): boolean {
  return text.trim() !== '' && text.length <= 200;
}
