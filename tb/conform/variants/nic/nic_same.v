// exact
// Ours as it is.
