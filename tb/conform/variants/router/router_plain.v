// SPDX-License-Identifier: Apache-2.0
//
// A router of proto's size written by hand, and nothing like ours: queues at the inputs, one for each port and VC, and a
// packet in front of one goes straight to its output. No tiles, no codes, no loads: adaptive packets take the minimal
// candidate. It gives what the ports and the registers promise, and that is all that conform asks for.
module router_plain #(
    parameter PLACES = 256 // of each queue; more than the sender may have there
) (
    input  wire         clk,
    input  wire         rst,
    input  wire   [3:0] from_link_valid,
    input  wire [191:0] from_link_flit,
    input  wire   [3:0] from_link_bad,
    input  wire   [3:0] from_link_ready,
    input  wire   [7:0] from_link_room,
    input  wire   [7:0] from_link_spare,
    input  wire  [27:0] from_link_peer_load,
    input  wire  [23:0] from_link_far_request,
    input  wire  [23:0] from_link_far_response,
    input  wire   [3:0] from_link_dead,
    input  wire         bus_valid,
    input  wire         bus_write,
    input  wire  [15:0] bus_addr,
    input  wire  [63:0] bus_wdata,
    output reg    [3:0] to_link_freed_valid,
    output reg   [11:0] to_link_freed_vc,
    output reg    [3:0] to_link_valid,
    output reg  [191:0] to_link_flit,
    output reg    [3:0] to_link_head,
    output reg    [3:0] to_link_tail,
    output reg    [3:0] to_link_bad,
    output reg    [3:0] to_link_start_valid,
    output reg    [3:0] to_link_start_vc,
    output reg          bus_ready,
    output reg          bus_error,
    output reg   [63:0] bus_rdata
);
    localparam ILLEGAL = 12, NO_ROUTE = 13, NONMINIMAL = 11; // counters
    integer i, p, q, o, n;

    // ---- tables, one set for each port --------------------------------------------------------------

    reg [17:0] minimal [0:4*2048-1];
    reg [17:0] nonminimal [0:4*2048-1];
    reg  [4:0] vc_map [0:4*256-1];
    reg [15:0] here [0:3]; // {global, local}
    initial begin
        for (i = 0; i < 4 * 2048; i = i + 1) begin
            minimal[i] = 0;
            nonminimal[i] = 0;
        end
        for (i = 0; i < 4 * 256; i = i + 1)
            vc_map[i] = 0;
        for (i = 0; i < 4; i = i + 1)
            here[i] = 0;
    end

    // ---- queue q is port q / 2, VC q % 2 ------------------------------------------------------------

    reg [48:0] store [0:8*PLACES-1]; // {bad, flit}
    reg [15:0] first [0:7], last [0:7]; // flits that left and came, modulo PLACES
    reg  [3:0] left [0:3]; // flits of the packet that comes in at a port
    reg        comes_vc [0:3], refused [0:3];
    reg  [2:0] code [0:3]; // VC field of its head
    reg  [3:0] rest [0:7]; // flits of the packet in front, 0: a head is
    reg        dropped [0:7], marked [0:7];
    reg        granted [0:7];
    reg  [1:0] port [0:7]; // where it goes
    reg  [8:0] owed [0:31]; // places to be given back, {port, VC field}

    // ---- outputs --------------------------------------------------------------------------------------

    reg       busy [0:3]; // a packet is being sent
    reg [2:0] source [0:3], turn [0:3]; // queue; the one that is asked first
    reg       chose [0:3]; // in the clock before: room does not know it yet

    // ---- counters ---------------------------------------------------------------------------------------

    reg [47:0] counter [0:4*16-1];
    reg        captured [0:3];
    reg [15:0] events [0:3];
    reg [31:0] when [0:3], now;
    reg  [15:0] event_now [0:3];

    // ---- what the head in front of a queue wants ----------------------------------------------------------

    reg [47:0] flit;
    reg  [8:0] c, other;
    reg [17:0] entry;
    reg  [2:0] mode;
    reg  [1:0] draw;
    reg [10:0] at;
    reg        found, aside, own, takes;
    reg  [4:0] hop;
    reg  [1:0] to;

    function alive(input [8:0] candidate, input [3:0] dead);
        alive = candidate[0] && candidate[8:7] == 0 && candidate[5:4] == 0 && !dead[{candidate[6], candidate[3]}];
    endfunction

    // One of the two, by a bit of the hash, or the other one.
    task pick(input [17:0] two, input second);
        begin
            c = second ? two[17:9] : two[8:0];
            other = second ? two[8:0] : two[17:9];
            if (!alive(c, from_link_dead))
                c = other;
            found = alive(c, from_link_dead);
        end
    endtask

    // flit, q -> found, to, hop, aside
    task find_route;
        begin
            mode = flit[40:38];
            draw = flit[29:28] ^ flit[21:20] ^ (mode == 6 ? 2'd0 : flit[11:10]);
            own = flit[35:28] == here[q[2:1]][15:8];
            if (own && flit[27:20] == here[q[2:1]][7:0])
                draw = flit[19:18];
            at = own ? {1'b1, flit[27:20], draw} : {1'b0, flit[35:28], draw};
            aside = 0;
            found = 0;
            if (mode == 7) begin
                c = {flit[23:21], flit[20:18], 2'd0, 1'b1};
                found = alive(c, from_link_dead);
                hop = {flit[37:36], flit[47:45]};
            end else begin
                if (mode == 4 && !flit[36]) begin
                    pick(nonminimal[{q[2:1], at}], flit[12]);
                    aside = found;
                end
                if (!found)
                    pick(minimal[{q[2:1], at}], mode == 6 ? flit[22] : flit[12]);
                if (!found && mode < 4 && !flit[36]) begin
                    pick(nonminimal[{q[2:1], at}], flit[12]);
                    aside = found;
                end
                hop = vc_map[{q[2:1], aside, c[2:1], flit[47:45], flit[37:36]}];
                found = found && hop[2:0] < 2;
            end
            to = {c[6], c[3]};
        end
    endtask

    task count(input [1:0] of, input [3:0] what);
        begin
            counter[{of, what}] = counter[{of, what}] + 48'd1;
            if (what == ILLEGAL || what == NO_ROUTE)
                event_now[of][what] = 1;
        end
    endtask

    // ---- a clock --------------------------------------------------------------------------------------------

    task reset_all;
        begin
            for (i = 0; i < 8; i = i + 1) begin
                first[i] = 0;
                last[i] = 0;
                rest[i] = 0;
                {dropped[i], marked[i], granted[i]} = 0;
            end
            for (i = 0; i < 4; i = i + 1) begin
                left[i] = 0;
                {busy[i], chose[i], source[i], turn[i], captured[i]} = 0;
                events[i] = 0;
                when[i] = 0;
            end
            for (i = 0; i < 32; i = i + 1)
                owed[i] = 0;
            for (i = 0; i < 64; i = i + 1)
                counter[i] = 0;
            {to_link_freed_valid, to_link_valid, to_link_start_valid, bus_ready} <= 0;
            now = 0;
        end
    endtask

    // A flit that comes goes into its queue, or is refused and gives its place back at once.
    task take_in;
        begin
            flit = from_link_flit[48*p +: 48];
            own = left[p] == 0; // a head
            if (own) begin
                code[p] = flit[47:45];
                comes_vc[p] = flit[45];
                refused[p] = flit[47:45] > 1 || flit[44:41] == 0 || flit[44:41] > 14;
                if (refused[p])
                    count(p[1:0], ILLEGAL);
            end
            left[p] = (own ? flit[44:41] : left[p]) - 4'd1;
            count(p[1:0], {1'b0, code[p]});
            if (refused[p]) begin
                owed[{p[1:0], code[p]}] = owed[{p[1:0], code[p]}] + 9'd1;
            end else begin
                store[{p[1:0], comes_vc[p]} * PLACES + last[{p[1:0], comes_vc[p]}] % PLACES] = {from_link_bad[p], flit};
                last[{p[1:0], comes_vc[p]}] = last[{p[1:0], comes_vc[p]}] + 16'd1;
            end
        end
    endtask

    // One flit of queue q has gone.
    task pop;
        begin
            first[q] = first[q] + 16'd1;
            rest[q] = (rest[q] == 0 ? flit[44:41] : rest[q]) - 4'd1;
            owed[{q[2:1], 2'd0, q[0]}] = owed[{q[2:1], 2'd0, q[0]}] + 9'd1;
        end
    endtask

    // What has no route is thrown away, flit by flit.
    task drop_front;
        begin
            flit = store[q * PLACES + first[q] % PLACES][47:0];
            if (first[q] != last[q] && !granted[q]) begin
                if (rest[q] == 0) begin
                    find_route;
                    dropped[q] = !found && flit[44:41] != 1;
                    if (!found) begin
                        count(q[2:1], NO_ROUTE);
                        pop;
                    end
                end else if (dropped[q]) begin
                    dropped[q] = rest[q] != 1;
                    pop;
                end
            end
        end
    endtask

    // A packet for output o: the first queue, from its turn on, whose head goes there and has room.
    task choose;
        begin
            for (n = 0; n < 8; n = n + 1) begin
                q = (turn[o] + n) % 8;
                flit = store[q * PLACES + first[q] % PLACES][47:0];
                if (!takes && first[q] != last[q] && rest[q] == 0 && !granted[q] && !dropped[q]) begin
                    find_route;
                    if (found && to == o && from_link_room[2*o + hop[0]]) begin
                        takes = 1;
                        if (aside)
                            count(q[2:1], NONMINIMAL);
                        granted[q] = 1;
                        busy[o] = 1;
                        source[o] = q[2:0];
                        turn[o] = q[2:0] + 3'd1;
                        to_link_start_valid[o] <= 1;
                        to_link_start_vc[o] <= hop[0];
                    end
                end
            end
        end
    endtask

    // The next flit of the packet that is being sent.
    task send;
        begin
            q = source[o];
            flit = store[q * PLACES + first[q] % PLACES][47:0];
            if (busy[o] && first[q] != last[q]) begin
                own = rest[q] == 0;
                takes = (own ? flit[44:41] : rest[q]) == 1; // the tail
                to_link_valid[o] <= 1;
                to_link_head[o] <= own;
                to_link_tail[o] <= takes;
                marked[q] = (!own && marked[q]) || store[q * PLACES + first[q] % PLACES][48];
                to_link_bad[o] <= takes && marked[q];
                to_link_flit[48*o +: 48] <= flit;
                if (own) begin
                    find_route;
                    to_link_flit[48*o +: 48] <= mode == 7 ? {flit[47:36], 6'd0, flit[35:24], flit[17:0]}
                                                          : {hop[2:0], flit[44:38], hop[4:3], flit[35:0]};
                end
                pop;
                if (takes) begin
                    busy[o] = 0;
                    granted[q] = 0;
                end
            end
        end
    endtask

    // ---- registers ----------------------------------------------------------------------------------------------

    task write_register;
        for (i = 0; i < 4; i = i + 1)
            if (bus_addr[9] || (bus_addr[15:10] == {2'd0, i[1], 2'd0, i[0]}))
                case (bus_addr[8:0])
                9'h000:
                    if (bus_wdata[0]) begin
                        captured[i] = 0;
                        for (n = 0; n < 16; n = n + 1)
                            counter[i * 16 + n] = 0;
                    end
                9'h010:
                    case (bus_wdata[63:61])
                    0: minimal[{i[1:0], bus_wdata[58:48]}] = bus_wdata[17:0];
                    1: nonminimal[{i[1:0], bus_wdata[58:48]}] = bus_wdata[17:0];
                    2: vc_map[{i[1:0], bus_wdata[55:48]}] = bus_wdata[4:0];
                    4: here[i] = bus_wdata[15:0];
                    default: ;
                    endcase
                default: ;
                endcase
    endtask

    task read_register;
        begin
            i = {bus_addr[13], bus_addr[10]};
            bus_rdata <= 0;
            if (bus_addr[15:14] == 0 && bus_addr[12:11] == 0)
                case (bus_addr[8:4])
                5'h00:
                    bus_rdata <= bus_addr[3:0] == 0 ? {58'd0, 2'd0, i[1], 2'd0, i[0]}
                               : bus_addr[3:0] == 1 ? {captured[i], 15'd0, when[i], events[i]} : 64'd0;
                5'h02: bus_rdata <= {16'd0, counter[{i[1:0], bus_addr[3:0]}]};
                default: ;
                endcase
        end
    endtask

    always @(posedge clk)
        if (rst) begin
            reset_all;
        end else begin
            now = now + 32'd1;
            for (p = 0; p < 4; p = p + 1) begin
                event_now[p] = 0;
                if (from_link_valid[p])
                    take_in;
            end
            for (q = 0; q < 8; q = q + 1)
                drop_front;
            for (o = 0; o < 4; o = o + 1) begin
                to_link_start_valid[o] <= 0;
                if (!to_link_valid[o] || from_link_ready[o]) begin
                    to_link_valid[o] <= 0;
                    send;
                end
                takes = 0;
                if (!busy[o] && !chose[o])
                    choose;
                chose[o] = takes;
            end
            for (p = 0; p < 4; p = p + 1) begin
                to_link_freed_valid[p] <= 0;
                takes = 0;
                for (n = 0; n < 8; n = n + 1)
                    if (!takes && owed[{p[1:0], n[2:0]}] != 0) begin
                        takes = 1;
                        owed[{p[1:0], n[2:0]}] = owed[{p[1:0], n[2:0]}] - 9'd1;
                        to_link_freed_valid[p] <= 1;
                        to_link_freed_vc[3*p +: 3] <= n[2:0];
                    end
                if (event_now[p] != 0 && !captured[p]) begin
                    captured[p] = 1;
                    events[p] = event_now[p];
                    when[p] = now;
                end
            end
            bus_ready <= bus_valid && !bus_ready;
            bus_error <= (bus_addr[15:14] != 0 || bus_addr[12:11] != 0) && !(bus_addr[9] && bus_write)
                         || (bus_addr[8:0] != 0 && bus_addr[8:0] != 2
                             && (bus_write ? bus_addr[8:0] != 9'h010 : bus_addr[8:4] != 5'h02 && bus_addr[8:0] != 1));
            if (bus_valid && !bus_ready) begin
                read_register;
                if (bus_write)
                    write_register;
            end
        end
endmodule
