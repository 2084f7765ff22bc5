import type { Role } from './roles.ts';

/**
 * Node's arguments for the process of a role, and for the sandbox. With them, api and worker together used at most 639 MB in ten minutes at
 * 6,600 events/s. At that time, each process still loaded the modules of both roles. Now it loads only those of its role, and both
 * together use 50 MB less right after the start. Their limit is 600 MB (bench/README.md).
 *
 * Each half of the young generation has at most 8 MB in an api. By default, V8 would let it grow to 32 MB and never release it,
 * because events are short-lived. In a worker, it has at most 48 MB, because the objects of a worker live as long as a batch. If
 * the young generation is smaller than the objects of a batch, most of them are copied to the old
 * generation and collected there. With 48 MB instead of 32 MB, and with a hundred segments and twenty campaigns, a worker uses
 * 8 % less CPU per event and 54 MB more memory. 64 MB saves nothing more.
 *
 * The old generation is collected when it has grown by 40 or 50 percent. By default, on a machine with much memory, V8 waits
 * until it is four times as large. Calls that wait for their commit are collected there, so api and worker together used 720
 * MB after 25 seconds at 5,000 events/s. If the old generation was collected when it had doubled, they used 650 to 676 MB
 * after 26 seconds at 6,300 events/s with a hundred segments. With these percentages, they used 590 to 610 MB.
 *
 * If objects from one place in the code survive, V8 by default allocates later objects from the same place directly in the
 * old generation. This is switched off. Events that wait for their commit survive, so V8 did this under load. In 8 of 10
 * starts of an api, each collection of the young generation then moved 1.6 MB to the old one, for the rest of the run. When
 * it was switched off, each moved 0.05 MB, in 5 of 5 starts, and an event took 56 us of CPU instead of 62 (medians of 5
 * starts in turns).
 */
export function nodeArguments(of: Role | 'sandbox'): readonly string[] {
  const [young, growth] = of === 'worker' ? [48, 50] : [8, 40];
  return [`--max-semi-space-size=${young}`, `--heap-growing-percent=${growth}`, '--no-allocation-site-pretenuring'];
}

/**
 * Environment variables of every process of Node. By default, glibc gives each of the eight and more threads of a process its own
 * heap for memory outside V8, and keeps what it frees there. With one heap for all threads, api and worker together used 466
 * and 479 MB after 25 seconds at full load, instead of 512 and 537 MB at the same rate (runs in turns).
 */
export const nodeEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
