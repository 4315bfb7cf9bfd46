"""Files, read while they are sent."""

from __future__ import annotations

from typing import Optional, Type, TypeVar

from pydantic import BaseModel

from arbitration_client.forms import FileForm, FilePath, Progress
from arbitration_client.models.evidence_upload import EvidenceUpload
from arbitration_client.models.filing_file import FilingFile
from arbitration_client.models.pdf_template import PdfTemplate
from arbitration_client.platform import Platform

BYTES = "application/octet-stream"

Answer = TypeVar("Answer", bound=BaseModel)


class Uploads:
    """The operations that take a file, with its path in place of its bytes: no more than a piece of it is in memory.

    ``file_name`` and ``content_type`` take the place of the path's last part and of ``application/octet-stream``, for which the platform
    looks at the content. ``progress(sent, size)`` is called with bytes of the file: ``sent`` never falls within an attempt, begins at 0 again
    when the upload is repeated, and is ``size`` when it has succeeded.
    """

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    def create_evidence_upload(self, case_id: str, category_id: str, description: str, file: FilePath, *, file_name: Optional[str] = None,
                               content_type: str = BYTES, idempotency_key: Optional[str] = None,
                               progress: Optional[Progress] = None) -> EvidenceUpload:
        """Uploads an exhibit, as ``EvidenceApi.create_evidence_upload``."""
        form = FileForm({"caseID": case_id, "categoryID": category_id, "description": description}, file, file_name, content_type, progress)
        return self._post("/api/evidence/uploads/create", form, EvidenceUpload, idempotency_key)

    def upload_filing_file(self, case_id: str, filing_id: str, file: FilePath, *, title: Optional[str] = None,
                           file_name: Optional[str] = None, content_type: str = BYTES, idempotency_key: Optional[str] = None,
                           if_match: Optional[str] = None, progress: Optional[Progress] = None) -> FilingFile:
        """Adds a file to a filing, as ``FilingFilesApi.upload_filing_file``."""
        form = FileForm({"caseID": case_id, "filingID": filing_id, "title": title}, file, file_name, content_type, progress)
        return self._post("/api/filings/files/upload", form, FilingFile, idempotency_key, if_match)

    def redact_docket_entry(self, case_id: str, entry_id: str, file_id: str, reason: str, file: FilePath, *,
                            file_name: Optional[str] = None, content_type: str = BYTES, idempotency_key: Optional[str] = None,
                            if_match: Optional[str] = None, progress: Optional[Progress] = None) -> FilingFile:
        """Puts a redacted file in the place of one of an entry, as ``DocketApi.redact_docket_entry``."""
        texts: dict[str, Optional[str]] = {"caseID": case_id, "entryID": entry_id, "fileID": file_id, "reason": reason}
        return self._post("/api/docket/entries/redact", FileForm(texts, file, file_name, content_type, progress), FilingFile,
                          idempotency_key, if_match)

    def upload_pdf_template(self, document_id: str, file: FilePath, *, file_name: Optional[str] = None, content_type: str = BYTES,
                            idempotency_key: Optional[str] = None, progress: Optional[Progress] = None) -> PdfTemplate:
        """Uploads a template, as ``PdfTemplatesApi.upload_pdf_template``."""
        form = FileForm({"documentID": document_id}, file, file_name, content_type, progress)
        return self._post("/pdfs/templates/upload", form, PdfTemplate, idempotency_key)

    def _post(self, path: str, form: FileForm, answered: Type[Answer], idempotency_key: Optional[str],
              if_match: Optional[str] = None) -> Answer:
        given = {"Idempotency-Key": idempotency_key, "If-Match": if_match}
        answer = self._platform.post_form(path, form, {name: value for name, value in given.items() if value is not None})
        return answered.model_validate_json(answer.read())
