// breaks: interrupts
// There are none.
    assign new_irq = 1'b0;
