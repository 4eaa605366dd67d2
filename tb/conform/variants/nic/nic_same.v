// Ours as it is.
