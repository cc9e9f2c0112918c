// Loaded into each program of the demonstration: ends it in order when the demonstration itself was killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel is there to be noticed when it breaks, not to keep the program running.
process.channel?.unref();
