// breaks: delivery
// It never has room.
    assign new_to_tile_room = 4'd0;
    assign new_to_tile_spare = 4'd0;
