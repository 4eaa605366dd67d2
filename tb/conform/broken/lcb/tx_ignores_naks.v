// breaks: recovery
// in: lcb_tx
// Nothing is sent again before its time is up.
    assign new_nak = 1'b0;
