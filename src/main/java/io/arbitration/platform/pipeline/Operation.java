package io.arbitration.platform.pipeline;

import io.arbitration.platform.body.BodySchema;
import io.arbitration.platform.files.FormSchema;
import io.arbitration.platform.idempotency.Idempotency;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The properties of an operation that the pipeline needs, taken from the contract.
 *
 * @param bearer whether a token is needed
 * @param permissions permissions the token must carry
 * @param schema schema of the JSON body; empty when the operation has none
 * @param form schema of a form with a file; empty when the operation takes none
 * @param bodyBytesMax bytes of a JSON body that this operation accepts beyond the general setting; 0: no more
 * @param schemaBytesMax bytes of the largest JSON body that the schema allows
 * @param bodyRequired whether a request without a body is refused
 * @param idempotent whether the operation takes an {@code Idempotency-Key}
 * @param urlEncoded whether the body is a URL-encoded form, as browsers and OAuth clients send it, not JSON
 * @param oauthErrors whether errors are answered in the form of RFC 6749
 * @param endsWithSession whether the answer takes so long that it is aborted when the session of the caller ends
 * @param errors codes of the errors that the contract declares
 */
record Operation(
        String area, String id, boolean bearer, List<String> permissions, Optional<BodySchema> schema, Optional<FormSchema> form, int bodyBytesMax, long schemaBytesMax,
        boolean bodyRequired, boolean idempotent, boolean urlEncoded, boolean oauthErrors, boolean endsWithSession, Set<String> errors) {}
