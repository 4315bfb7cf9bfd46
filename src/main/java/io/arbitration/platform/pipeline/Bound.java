package io.arbitration.platform.pipeline;

import io.arbitration.platform.files.FormFile;

/** What an operation of a contract is bound to. */
sealed interface Bound {

    record ToReply(OperationHandler handler) implements Bound {}

    record ToDownload(DownloadHandler handler) implements Bound {}

    record ToStream(StreamHandler handler) implements Bound {}

    record ToEvents(EventStreamHandler handler) implements Bound {}

    record ToUpload<F extends FormFile>(UploadHandler<F> handler) implements Bound {}
}
