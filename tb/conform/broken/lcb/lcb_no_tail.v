// breaks: framing
// The tail of packets of one flit is not marked.
    assign new_rx_tail = own_rx_tail && !own_rx_head;
