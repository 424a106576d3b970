"""Pages of the web page: each a function that returns HTML."""
