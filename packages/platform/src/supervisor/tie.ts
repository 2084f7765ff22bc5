import '../report-uncaught.ts';

/*
 * Ends a child when its supervisor ends. It is loaded before the child's own code (`node --import`), so that it works for every
 * script that the supervisor starts.
 *
 * The channel between them closes when the supervisor ends for any reason, including SIGKILL. Then the child exits immediately.
 * No acknowledged event is lost by this (docs/reference/design.md 2.1). Without it, the remaining processes of a dead
 * installation would keep the port.
 */
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

// Ctrl-C in a terminal reaches the whole process group. The supervisor stops its children in order, with SIGTERM.
process.on('SIGINT', () => {});
