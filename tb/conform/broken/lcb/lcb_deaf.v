// breaks: epochs
// A restart is only heard while the link is dead.
    assign new_restart = restart && own_state == 3'd0;
