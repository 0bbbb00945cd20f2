//! What goes into the next prompt: windows, compression, the compiler, and the forms that providers want.
