// breaks: dead ports
// Port 3 is never dead.
    assign new_from_link_dead = from_link_dead & 4'b0111;
