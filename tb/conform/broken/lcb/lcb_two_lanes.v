// breaks: lanes
// Lane 0 is never used.
    assign new_rx_lane_up = rx_lane_up & 3'b110;
