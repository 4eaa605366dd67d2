// breaks: drops
// Packets that are marked bad count as good.
    assign new_from_tile_bad = 2'd0;
