"""Routes: what each address of the pages does, by sessions, jobs and pages."""
