package io.arbitration.webhooks.members;

import io.arbitration.platform.answer.ApiError;

/** The reasons why a caller may not see or change the webhooks of an organization. */
enum MemberError implements ApiError {
    NO_ORGANIZATION(403, "webhooks.no-organization", "You belong to no organization, and webhooks belong to organizations."),
    NOT_ADMINISTRATOR(403, "webhooks.not-administrator", "Only administrators of your organization can do this.");

    private final Terms terms;

    MemberError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
