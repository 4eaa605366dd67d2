// breaks: room
// What the link says of the room at its other end counts half: VC 1 always has some.
    assign new_from_link_room = from_link_room | 8'b10101010;
