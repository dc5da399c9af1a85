package results

// nonblock: a browser has no pipes.
const nonblock = 0
