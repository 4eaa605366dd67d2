// breaks: room
// Room for one packet is taken for room for another besides it.
    assign new_from_link_spare = from_link_room;
