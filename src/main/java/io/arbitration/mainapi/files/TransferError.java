package io.arbitration.mainapi.files;

import io.arbitration.platform.answer.ApiError;

/** The errors of the transfer of any file, to the platform or from it. */
public enum TransferError implements ApiError {
    TRANSFERS_OF_CALLER(429, "evidence.transfers-of-caller", "At most %d uploads and downloads at once."),
    TRANSFERS(503, "overloaded", "The platform is overloaded, try again later."),
    DISK(503, "evidence.disk-low", "The disk has less than %d bytes free; no files are taken until it has more."),
    STORE(503, "objects.unavailable", "The object store is not available."),
    FILE_MISSING(500, "evidence.file-missing", "The stored file is missing."),
    FILE_ALTERED(500, "evidence.file-altered", "The stored file is not what was uploaded.");

    private final Terms terms;

    TransferError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
