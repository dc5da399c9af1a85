package disk

// nonblock: a browser has no pipes.
const nonblock = 0
