"""Opening of a file: it becomes that of the session, and its inspection starts at once."""

from microagg.app.server_state import ServerState
from microagg.app.web_sessions import OpenedFile, Session, SessionJob


def open_file(server: ServerState, session: Session, file: OpenedFile) -> SessionJob:
    """Take a file as the open one of a session, and start its inspection.

    Parameters
    ----------
    server
        What all requests share.
    session
        The session.
    file
        The file.
    """
    session.open(file)
    return session.submit(server.queue, "inspect", {"source": str(file.path), "name": file.name}, file)
