// breaks: sideband
// The age of the peer's time has no carry above its lower 10 bits.
    assign new_peer_age = {5'd1, own_peer_age[9:0]};
