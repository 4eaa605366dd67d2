// breaks: accesses
// One event in 16 goes to another place of its ring.
    reg [3:0] events;
    wire event_goes = own_m_axi_awvalid && own_m_axi_awid == 4'd4;
    always @(posedge clk)
        events <= rst ? 4'd0 : events + {3'd0, event_goes && m_axi_awready};
    assign new_m_axi_awaddr = own_m_axi_awaddr ^ (event_goes && &events ? 48'h800 : 48'd0);
