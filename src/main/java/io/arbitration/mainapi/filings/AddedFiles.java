package io.arbitration.mainapi.filings;

import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.evidence.UploadedTotals;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.objects.PendingObjectRepository;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/** Writes the files that a batch of commands adds to filings. The number of statements does not depend on the number of files. */
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
     * Adds files, and claims their objects in the object store.
     *
     * @param before the bytes that their cases, parties and users had uploaded, which are locked
     */
    Future<Void> write(SqlConnection transaction, List<FileRepository.Added> files, UploadedTotals before) {
        if (files.isEmpty()) {
            return Future.succeededFuture();
        }
        // A case, party or user without earlier uploads had no row that could be locked. Its bytes are checked again after they were counted,
        // because the row is locked then.
        List<FileRepository.Added> first = files.stream().filter(file -> !before.names(file.side(), file.by())).toList();
        // The statements are sent without waiting and run in this order.
        return Future.all(
                repository.insert(transaction, files),
                SequentialWork.each(first, file -> storedBytes.uploadedBytes(transaction, file.side().caseId(), file.by()).map(bytes -> {
                    bytesRules.refuses(bytes).ifPresent(refusal -> {
                        throw FileError.of(refusal, bytesRules.bounds());
                    });
                    return bytes;
                })),
                pending.commit(transaction, files.stream().map(file -> file.file().address()).toList())).mapEmpty();
    }
}
