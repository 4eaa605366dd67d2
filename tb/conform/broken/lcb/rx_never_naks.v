// breaks: acks
// in: lcb_rx
// A gap is noticed and not reported to the peer, which sends again when its time is up.
    assign new_gap = 1'b0;
