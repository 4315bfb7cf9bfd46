package io.arbitration.mainapi.filings;

import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.evidence.UploadedTotals;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.platform.batching.OneByOne;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/** Writes the files that a batch of commands adds to filings: the same few statements, however many files. */
final class AddedFiles {

    private final FileRepository repository;
    private final PendingObjectRepository pending;
    private final UploadRules bytesRules;
    private final StoredBytesRepository storedBytes = new StoredBytesRepository();

    AddedFiles(FileRepository repository, PendingObjectRepository pending, UploadRules bytesRules) {
        this.repository = repository;
        this.pending = pending;
        this.bytesRules = bytesRules;
    }

    /**
     * Adds files and takes their objects over.
     *
     * @param before what their cases and users had uploaded, as it was locked
     */
    Future<Void> write(SqlConnection transaction, List<FileRepository.Added> files, UploadedTotals before) {
        if (files.isEmpty()) {
            return Future.succeededFuture();
        }
        // Of what nothing was counted yet, nothing could be locked: that is looked at again, now that it is counted and so locked.
        List<FileRepository.Added> first = files.stream().filter(file -> !before.names(file.caseId(), file.by())).toList();
        // The statements are sent without waiting and run in this order.
        return Future.all(
                repository.insert(transaction, files),
                OneByOne.each(first, file -> storedBytes.uploadedBytes(transaction, file.caseId(), file.by()).map(bytes -> {
                    bytesRules.refuses(bytes).ifPresent(refusal -> {
                        throw FileError.of(refusal, bytesRules.bounds());
                    });
                    return bytes;
                })),
                pending.commit(transaction, files.stream().map(file -> file.file().address()).toList())).mapEmpty();
    }
}
