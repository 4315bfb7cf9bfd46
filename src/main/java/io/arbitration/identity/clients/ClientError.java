package io.arbitration.identity.clients;

import io.arbitration.platform.answer.ApiError;

/** The errors of machine clients, in the wording of the contract. */
enum ClientError implements ApiError {
    INVALID_CLIENT(401, "client.invalid-credentials", "invalid client credentials"),
    CLIENT_NOT_FOUND(404, "client.not-found", "client not found"),
    ORGANIZATION_NOT_FOUND(404, "organization.not-found", "organization not found"),
    NOT_AN_ADMINISTRATOR(403, "organization.not-an-administrator", "Not an administrator of this organization."),
    PERMISSION_NOT_FOUND(404, "permission.not-found", "permission not found"),
    TOO_MANY_CLIENTS(409, "client.too-many", "an organization can have at most %d clients");

    private final Terms terms;

    ClientError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }
}
