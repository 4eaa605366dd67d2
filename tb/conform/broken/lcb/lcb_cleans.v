// breaks: marks
// Flits that are marked bad are sent as if they were not.
    assign new_flit_bad = 1'b0;
