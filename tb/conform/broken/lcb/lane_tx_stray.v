// breaks: frames
// in: lane_tx
// Lanes outside the map send a pattern, which the peer does not look at.
    assign new_lane = own_lane | (own_data ? {{16{!lane_map[2]}}, {16{!lane_map[1]}}, {16{!lane_map[0]}}} & 48'h1111_2222_4444
                                           : 48'd0);
