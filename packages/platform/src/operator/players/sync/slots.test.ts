import { describe, expect, test } from 'vitest';
import { Circuit } from '../../calling/health/circuit.ts';
import { EndpointCircuits } from '../../calling/health/circuits.ts';
import { lanes } from './lane.ts';
import { Slots, slotsPerEndpoint } from './slots.ts';

describe('slots', () => {
  test.each([
    [32, 8, 2],
    [60, 15, 5],
    [6, 1, 1],
    [1, 1, 1],
  ])('of %i connections each endpoint gets %i live and %i background slots', (connections, live, background) => {
    expect(slotsPerEndpoint(connections)).toEqual({ [lanes.live]: live, [lanes.background]: background });
  });

  test('what one endpoint or lane takes, no other misses', () => {
    const slots = new Slots();
    const operators = [1, 2].map((brand_id) => ({ brand_id, max_connections: 32 }));
    for (let n = 0; n < 8; n++) slots.take({ brand_id: 1, look_up: 'details', lane: lanes.live });
    const free = slots.free(operators);
    expect(free).toHaveLength(11);
    expect(free).not.toContainEqual(expect.objectContaining({ brand_id: 1, look_up: 'details', lane: lanes.live }));
    expect(free).toContainEqual({ brand_id: 1, look_up: 'details', lane: lanes.background, free: 2 });
    expect(free).toContainEqual({ brand_id: 1, look_up: 'blocks', lane: lanes.live, free: 8 });
    slots.give({ brand_id: 1, look_up: 'details', lane: lanes.live });
    expect(slots.free(operators)).toContainEqual({ brand_id: 1, look_up: 'details', lane: lanes.live, free: 1 });
  });

  test('an endpoint that only fails is probed, the others go on', () => {
    let now = 0;
    const slots = new Slots(new EndpointCircuits(() => now));
    const free = () =>
      slots.free([{ brand_id: 1, max_connections: 32 }]).map(({ look_up, lane, free }) => `${look_up} ${lane} ${free}`);
    for (let n = 0; n < 20; n++) slots.learn({ brand_id: 1, look_up: 'consents' }, { alive: false });
    expect(free()).toEqual(['details 0 8', 'details 1 2', 'blocks 0 8', 'blocks 1 2']);
    now = 1_000;
    expect(free()).toContain('consents 0 1');
    slots.take({ brand_id: 1, look_up: 'consents', lane: lanes.live });
    expect(free()).not.toContain('consents 0 1');
    slots.learn({ brand_id: 1, look_up: 'consents' }, { alive: true });
    expect(free()).toContain('consents 0 7');
  });
});

describe('the circuit of an endpoint', () => {
  function opened() {
    const circuit = new Circuit();
    for (let n = 0; n < 20; n++) circuit.failed(0);
    return circuit;
  }

  test('opens after 20 failures in a row, not after 20 among others', () => {
    const circuit = new Circuit();
    for (let n = 0; n < 100; n++) {
      circuit.failed(0);
      if (n % 10 === 9) circuit.answered();
    }
    expect(circuit.passage(0)).toBe('all');
    expect(opened().passage(999)).toBe('none');
  });

  test('each failed probe doubles the wait, up to 15 s; calls still under way do not', () => {
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

  test('an operator that asks for a pause gets it', () => {
    const circuit = new Circuit();
    circuit.pause(0, 3_000);
    circuit.answered();
    expect([circuit.passage(2_999), circuit.passage(3_000)]).toEqual(['none', 'all']);
  });
});
