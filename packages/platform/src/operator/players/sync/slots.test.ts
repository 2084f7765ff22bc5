import { describe, expect, test } from 'vitest';
import { Slots } from '../../../outgoing/index.ts';
import { Circuit } from '../../calling/health/circuit.ts';
import { EndpointCircuits } from '../../calling/health/circuits.ts';
import type { LookUp } from '../../judging/index.ts';
import { lookUpQueue } from './claim-store.ts';
import { lanes } from './lane.ts';
import { type LookUpPlace, lookUpPlaces, slotsPerEndpoint } from './slots.ts';

describe('slots', () => {
  test.each([
    [32, 8, 2],
    [60, 15, 5],
    [6, 1, 1],
    [1, 1, 1],
  ])('with %i connections each endpoint gets %i live and %i background slots', (connections, live, background) => {
    expect(slotsPerEndpoint(connections)).toEqual({ [lanes.live]: live, [lanes.background]: background });
  });

  /** The places that may begin calls now, as the scheduler grants them. */
  function setup(circuits = new EndpointCircuits()) {
    const slots = new Slots<LookUpPlace>((place) => lookUpQueue.keyOf(place));
    const free = (...brands: number[]) =>
      slots
        .grant(
          lookUpPlaces(
            brands.map((brand_id) => ({ brand_id, max_connections: 32, call_timeout_ms: 1_000 })),
            circuits,
          ),
        )
        .map(({ place: { brand_id, look_up, lane }, free }) => ({ brand_id, look_up, lane, free }));
    const take = (brand_id: number, look_up: LookUp) =>
      slots.take(lookUpQueue.keyOf({ brand_id, look_up, lane: lanes.live }));
    return { free, take };
  }

  test('an endpoint or lane takes only its own slots', () => {
    const { free, take } = setup();
    const taken = Array.from({ length: 8 }, () => take(1, 'details'));
    const granted = free(1, 2);
    expect(granted).toHaveLength(11);
    expect(granted).not.toContainEqual(expect.objectContaining({ brand_id: 1, look_up: 'details', lane: lanes.live }));
    expect(granted).toContainEqual({ brand_id: 1, look_up: 'details', lane: lanes.background, free: 2 });
    expect(granted).toContainEqual({ brand_id: 1, look_up: 'blocks', lane: lanes.live, free: 8 });
    taken[0]?.();
    expect(free(1, 2)).toContainEqual({ brand_id: 1, look_up: 'details', lane: lanes.live, free: 1 });
  });

  test('an endpoint that only fails gets probes, the others continue', () => {
    let now = 0;
    const circuits = new EndpointCircuits(() => now);
    const { free: freeOf, take } = setup(circuits);
    const free = () => freeOf(1).map(({ look_up, lane, free }) => `${look_up} ${lane} ${free}`);
    for (let n = 0; n < 20; n++) circuits.recordAnswer(1, 'userconsents', { alive: false });
    expect(free()).toEqual(['details 0 8', 'details 1 2', 'blocks 0 8', 'blocks 1 2']);
    now = 1_000;
    expect(free()).toContain('consents 0 1');
    take(1, 'consents');
    expect(free()).not.toContain('consents 0 1');
    circuits.recordAnswer(1, 'userconsents', { alive: true });
    expect(free()).toContain('consents 0 7');
  });
});

describe('the circuit of an endpoint', () => {
  function opened() {
    const circuit = new Circuit();
    for (let n = 0; n < 20; n++) circuit.failed(0);
    return circuit;
  }

  test('opens after 20 consecutive failures, not after 20 among successes', () => {
    const circuit = new Circuit();
    for (let n = 0; n < 100; n++) {
      circuit.failed(0);
      if (n % 10 === 9) circuit.answered();
    }
    expect(circuit.passage(0)).toBe('all');
    expect(opened().passage(999)).toBe('none');
  });

  test('each failed probe doubles the wait, up to 15 s; calls that were already open do not', () => {
    const circuit = opened();
    circuit.failed(500);
    expect(circuit.passage(1_000)).toBe('probe');
    const waits: number[] = [];
    for (let now = 1_000; waits.length < 6; ) {
      circuit.failed(now);
      const from = now;
      while (circuit.passage(now) === 'none') now += 100;
      waits.push(now - from);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  test('one answer closes it', () => {
    const circuit = opened();
    circuit.answered();
    expect(circuit.passage(1)).toBe('all');
  });

  test('an operator that asks for a pause gets no calls for that time', () => {
    const circuit = new Circuit();
    circuit.pause(0, 3_000);
    circuit.answered();
    expect([circuit.passage(2_999), circuit.passage(3_000)]).toEqual(['none', 'all']);
  });
});
