// breaks: interrupts
// irq stays when it was once 1.
    reg was;
    always @(posedge clk)
        was <= !rst && (was || own_irq);
    assign new_irq = own_irq || was;
