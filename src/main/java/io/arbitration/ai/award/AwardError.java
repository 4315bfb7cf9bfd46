package io.arbitration.ai.award;

import io.arbitration.ai.model.ModelFailure;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.reading.Unreadable;

/** The errors of drafting an award. An object that cannot be read is named by its address; the code says why. */
enum AwardError implements ApiError {
    OUTSIDE_BUCKETS(422, "object.outside-buckets", "cannot read %s"),
    MISSING(422, "object.missing", "cannot read %s"),
    ALTERED(422, "object.altered", "cannot read %s"),
    EMPTY(422, "object.empty", "cannot read %s"),
    TOO_LARGE(422, "object.too-large", "cannot read %s"),
    UNKNOWN_TYPE(422, "object.unknown-type", "cannot read %s"),
    TYPE_MISMATCH(422, "object.type-mismatch", "cannot read %s"),
    ENCRYPTED(422, "object.encrypted", "cannot read %s"),
    CORRUPT(422, "object.corrupt", "cannot read %s"),
    NO_TEXT(422, "object.no-text", "cannot read %s"),
    TOO_LONG(422, "object.too-long", "cannot read %s"),
    TOO_SLOW(422, "object.too-slow", "cannot read %s"),
    PICTURE(422, "object.picture", "cannot read %s"),
    ALL_TOO_LONG(422, "award.too-long", "The documents and exhibits are together longer than the model can be given."),
    STORE(503, "objects.unavailable", "The object store is not available."),
    NOT_CONFIGURED(503, "model.not-configured", "No model is configured."),
    AWARDS_BUSY(503, "award.busy", "As many awards as this node takes are being made, try again later."),
    AWARDS_OF_CALLER(429, "award.caller-busy", "One caller can have at most %d of the awards that are made at once."),
    BUSY(503, "model.busy", "The model takes no more requests now, try again later."),
    AWAY(502, "model.failed", "The model failed or could not be reached."),
    REFUSED(502, "model.refused", "The model refused the request."),
    UNUSABLE(502, "model.unusable-answer", "The model gave no usable award."),
    UNKNOWN_EXHIBITS(502, "model.unknown-exhibits", "The model cited exhibits that are not among the inputs: %s"),
    TIMED_OUT(504, "model.timed-out", "The model did not answer in time.");

    private final Terms terms;

    AwardError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    static Refusal of(Unreadable unreadable, String address) {
        return (switch (unreadable.reason()) {
            case MISSING -> MISSING;
            case ALTERED -> ALTERED;
            case EMPTY -> EMPTY;
            case TOO_LARGE -> TOO_LARGE;
            case UNKNOWN_TYPE -> UNKNOWN_TYPE;
            case TYPE_MISMATCH -> TYPE_MISMATCH;
            case ENCRYPTED -> ENCRYPTED;
            case CORRUPT -> CORRUPT;
            case NO_TEXT -> NO_TEXT;
            case TOO_LONG -> TOO_LONG;
            case TOO_SLOW -> TOO_SLOW;
            case PICTURE -> PICTURE;
        }).refusal(address);
    }

    static Refusal of(ModelFailure failure) {
        int retryAfter = (int) Math.max(1, failure.retryAfter().toSeconds());
        return switch (failure.kind()) {
            case BUSY -> BUSY.refusal().retryAfter(retryAfter);
            case AWAY -> AWAY.refusal();
            case TIMED_OUT -> TIMED_OUT.refusal();
            case REFUSED, UNAUTHORIZED, NO_IMAGES -> REFUSED.refusal();
            case UNUSABLE -> UNUSABLE.refusal();
        };
    }
}
