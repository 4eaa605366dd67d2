// breaks: acks
// in: lcb_rx
// Acknowledges one micropacket more than has come.
    assign new_expected = own_expected + 7'd1;
