// exact
// Ours as it is, clock by clock.
