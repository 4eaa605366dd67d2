// The same LCB behind registers: 4 clocks at the lanes that come in, 2 at those that go out, 3 at what is freed, 6 at
// everything that is handed up, reported or shown. Flits are taken as before. A request on the bus is served once and
// answered 6 clocks later.
    reg [215:0] lanes_in; // {rx_lane_valid, rx_lane_up, rx_lane}
    reg [95:0] lanes_out;
    reg [11:0] freed;
    always @(posedge clk) begin
        lanes_in <= {lanes_in[161:0], rx_lane_valid, rx_lane_up, rx_lane};
        lanes_out <= rst ? 96'd0 : {lanes_out[47:0], own_tx_lane};
        freed <= rst ? 12'd0 : {freed[7:0], freed_valid, freed_vc};
    end
    assign {new_rx_lane_valid, new_rx_lane_up, new_rx_lane} = rst ? 54'd0 : lanes_in[215:162];
    assign new_tx_lane = lanes_out[95:48];
    assign {new_freed_valid, new_freed_vc} = freed[11:8];

    wire [201:0] shown = {own_rx_valid, own_rx_head, own_rx_tail, own_rx_bad, own_rx_flit, own_report_valid,
                          own_report_bad, own_report_flit, own_peer_load, own_far_request, own_far_response, own_peer_now_valid, own_peer_now, own_peer_age, own_state,
                          own_tx_map, own_rx_map, own_epoch};
    reg [6*202-1:0] late;
    always @(posedge clk)
        late <= rst ? 1212'd0 : {late[5*202-1:0], shown};
    assign {new_rx_valid, new_rx_head, new_rx_tail, new_rx_bad, new_rx_flit, new_report_valid, new_report_bad,
            new_report_flit, new_peer_load, new_far_request, new_far_response, new_peer_now_valid, new_peer_now, new_peer_age, new_state, new_tx_map, new_rx_map,
            new_epoch} = late[6*202-1:5*202];

    reg served;
    reg [5:0] answered;
    reg [64:0] answer;
    always @(posedge clk) begin
        answered <= rst ? 6'd0 : {answered[4:0], own_bus_ready && !served};
        served <= !rst && (served || own_bus_ready) && !answered[5];
        if (own_bus_ready && !served)
            answer <= {own_bus_error, own_bus_rdata};
    end
    assign new_bus_valid = bus_valid && !served && !answered[5] && !own_bus_ready;
    assign new_bus_ready = answered[5];
    assign {new_bus_error, new_bus_rdata} = answer;
