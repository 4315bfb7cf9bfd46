"""A form with a file, written while it is sent."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from typing import BinaryIO, Callable, Dict, Iterator, Optional, Union

from urllib3.fields import RequestField

PIECE_BYTES = 65_536

Progress = Callable[[int, int], None]
FilePath = Union[str, "os.PathLike[str]"]


class FileForm:
    """Texts and a file, of a length that is known beforehand. The file is read anew by each attempt.

    The texts come first, so that a request that is refused by them is refused before its file is read.
    """

    def __init__(self, texts: Dict[str, Optional[str]], file: FilePath, file_name: Optional[str], content_type: str,
                 progress: Optional[Progress]) -> None:
        self._file = os.fspath(file)
        self._size = os.stat(self._file).st_size
        self._progress = progress
        boundary = secrets.token_hex(16)
        self._head = b"".join(_part(boundary, RequestField.from_tuples(name, text)) + text.encode() + b"\r\n"
                              for name, text in texts.items() if text is not None)
        self._head += _part(boundary, RequestField.from_tuples("file", (file_name or os.path.basename(self._file), b"", content_type)))
        self._tail = f"\r\n--{boundary}--\r\n".encode()
        self.headers = {"Content-Type": "multipart/form-data; boundary=" + boundary,
                        "Content-Length": str(len(self._head) + self._size + len(self._tail))}

    @contextmanager
    def pieces(self) -> Iterator[Iterator[bytes]]:
        """What is sent, in pieces, while the file is open."""
        with open(self._file, "rb") as file:
            yield self._pieces(file)

    def _pieces(self, file: BinaryIO) -> Iterator[bytes]:
        yield self._head
        sent = 0
        self._tell(sent)
        while sent < self._size:
            piece = file.read(min(PIECE_BYTES, self._size - sent))
            if not piece:
                raise ValueError(f"{self._file} became shorter while it was sent")
            yield piece
            # The connection asks for more, so it has taken this.
            sent += len(piece)
            self._tell(sent)
        if file.read(1):
            raise ValueError(f"{self._file} became longer while it was sent")
        yield self._tail

    def _tell(self, sent: int) -> None:
        if self._progress is not None:
            self._progress(sent, self._size)


def _part(boundary: str, field: RequestField) -> bytes:
    return f"--{boundary}\r\n{field.render_headers()}".encode()
