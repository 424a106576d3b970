"""What goes on while the work is done: the run, its progress, its workers."""
