// The same LCB, which takes no flits in 12 of 64 clocks, and only shows a VC's room when it has had it for 16 clocks.
    reg [5:0] turn;
    always @(posedge clk)
        turn <= rst ? 6'd0 : turn + 6'd1;
    wire takes = turn >= 12;
    assign new_flit_valid = flit_valid && takes;
    assign new_flit_ready = own_flit_ready && takes;

    reg [127:0] rooms;
    always @(posedge clk)
        rooms <= rst ? 128'd0 : {rooms[119:0], own_room};
    integer i;
    reg [7:0] room_all;
    always @* begin
        room_all = own_room;
        for (i = 0; i < 16; i = i + 1)
            room_all = room_all & rooms[8*i +: 8];
    end
    assign new_room = room_all;
