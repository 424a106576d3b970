"""Pages that put every table and figure of the five papers beside ours: one module a page, one template a page."""
