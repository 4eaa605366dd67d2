// breaks: sideband
// The time of the peer is three carries of its lower 13 bits behind.
    assign new_peer_now = {own_peer_now[51:13] - 39'd3, own_peer_now[12:0]};
