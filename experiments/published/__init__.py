"""Tables 1 and 2 of the paper on the graphs that their authors published, with the published evaluation."""
