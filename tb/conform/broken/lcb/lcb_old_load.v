// breaks: sideband
// The load that is sent is the one of power-up.
    assign new_load = 7'd0;
