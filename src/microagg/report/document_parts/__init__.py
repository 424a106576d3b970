"""Parts of documents: elements of HTML, the style of the page, and the sections."""
