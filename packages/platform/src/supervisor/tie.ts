/*
 * Ties the life of a child to that of its supervisor. Loaded before the child's own code (`node --import`), so that it
 * holds for every script that the supervisor starts.
 *
 * The channel between them closes when the supervisor ends, however it ended, SIGKILL included. The child then ends at
 * once: nothing acknowledged is lost by that (docs/reference/design.md 2.1), and a half-dead installation would hold the port.
 */
process.on('disconnect', () => process.exit(1));
process.channel?.unref();

// Ctrl-C in a terminal reaches the whole process group. The supervisor stops its children in order, with SIGTERM.
process.on('SIGINT', () => {});
