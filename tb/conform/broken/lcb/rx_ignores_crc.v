// breaks: bodies
// in: lcb_rx
// Every CRC is right: it is put right before lcb_rx sees it.
    reg [3:0] slot;
    reg [19:0] crc;
    function [19:0] step(input [19:0] rest, input [47:0] data);
        integer i;
        begin
            step = rest;
            for (i = 47; i >= 0; i = i - 1)
                step = {step[18:0], data[i]} ^ (step[19] ? 20'hC4047 : 20'h0);
        end
    endfunction
    always @(posedge clk)
        if (rst || !run) begin
            slot <= 0;
            crc <= 20'h0;
        end else if (valid) begin
            slot <= slot == 9 ? 4'd0 : slot + 4'd1;
            crc <= slot == 9 ? 20'h0 : step(crc, slot == 0 ? word ^ {20'hFFFFF, 28'h0} : word);
        end
    assign new_word = slot == 9 ? {word[47:20], step(crc, {word[47:20], 20'h0})} : word;
