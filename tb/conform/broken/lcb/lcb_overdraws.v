// breaks: credits
// A packet is let through when there is room for one of 2 flits, and not of 14: here, whenever the link has carried one.
    reg carried;
    always @(posedge clk)
        carried <= !rst && own_state == 3'd4 && (carried || own_room == 8'hff);
    assign new_room = carried ? 8'hff : own_room;
