// The same router behind registers: 7 clocks at the flits that come in, 5 at the places that are given back, 9 at what is
// said of dead ports and load, and a queue of 8 flits at each output. The bus goes straight through.
    reg [7*200-1:0] comes;
    reg [5*16-1:0] freed;
    reg [9*80-1:0] delayed;
    always @(posedge clk) begin
        comes <= rst ? 1400'd0 : {comes[6*200-1:0], from_link_valid, from_link_bad, from_link_flit};
        freed <= rst ? 80'd0 : {freed[4*16-1:0], own_to_link_freed_valid, own_to_link_freed_vc};
        delayed <= rst ? 720'd0 : {delayed[8*80-1:0], from_link_dead, from_link_peer_load, from_link_far_request, from_link_far_response};
    end
    assign {new_from_link_valid, new_from_link_bad, new_from_link_flit} = comes[7*200-1:6*200];
    assign {new_to_link_freed_valid, new_to_link_freed_vc} = freed[5*16-1:4*16];
    assign {new_from_link_dead, new_from_link_peer_load, new_from_link_far_request, new_from_link_far_response} = delayed[9*80-1:8*80];

    genvar p;
    generate
        for (p = 0; p < 4; p = p + 1) begin : out
            reg [50:0] queue [0:7]; // {head, tail, bad, flit}
            reg [3:0] first, last;
            wire takes = own_to_link_valid[p] && new_from_link_ready[p];
            always @(posedge clk) begin
                if (takes)
                    queue[last[2:0]] <= {own_to_link_head[p], own_to_link_tail[p], own_to_link_bad[p],
                                         own_to_link_flit[48*p +: 48]};
                last <= rst ? 4'd0 : last + {3'd0, takes};
                first <= rst ? 4'd0 : first + {3'd0, new_to_link_valid[p] && from_link_ready[p]};
            end
            assign new_from_link_ready[p] = last != {!first[3], first[2:0]};
            assign new_to_link_valid[p] = last != first;
            assign {new_to_link_head[p], new_to_link_tail[p], new_to_link_bad[p], new_to_link_flit[48*p +: 48]}
                = queue[first[2:0]];
        end
    endgenerate
