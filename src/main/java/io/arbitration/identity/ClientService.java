package io.arbitration.identity;

import io.arbitration.identity.ClientRepository.Client;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Permission;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Machine clients: they hold a secret instead of an ID token and permissions instead of a profile. */
final class ClientService {

    private static final Logger LOG = LoggerFactory.getLogger(ClientService.class);
    private static final String SECRET_PREFIX = "acp_";
    /** Permissions can't be taken from a client, so its tokens are all of one revision. */
    private static final long REVISION = 0;

    private final ClientRepository clients;
    private final AccessTokens tokens;
    private final Secrets secrets;
    private final Clock clock;

    /** A new client; its secret is known here alone. */
    record Created(UUID clientId, String secret) {}

    ClientService(ClientRepository clients, AccessTokens tokens, Secrets secrets, Clock clock) {
        this.clients = clients;
        this.tokens = tokens;
        this.secrets = secrets;
        this.clock = clock;
    }

    Future<Created> create(Requester by, String name, Set<String> permissions) {
        if (!Permission.ALL.containsAll(permissions)) {
            return Future.failedFuture(IdentityError.PERMISSION_NOT_FOUND.refusal());
        }
        Created created = new Created(secrets.id(), secrets.secret(SECRET_PREFIX));
        Client client = new Client(created.clientId(), Secrets.hash(created.secret()), permissions, secrets.id());
        return clients.insert(by, client, name, clock.instant())
                .onSuccess(inserted -> LOG.info("{} created client {} with {}", by.userId(), client.id(), permissions))
                .map(created);
    }

    /** Answers without a refresh token: the client comes again with its secret. */
    Future<TokenSet> token(Optional<UUID> clientId, String secret) {
        Future<Optional<Client>> found = clientId.map(clients::find).orElse(Future.succeededFuture(Optional.empty()));
        return found.compose(client -> client.filter(known -> Secrets.matches(secret, known.secretHash()))
                .map(known -> Future.succeededFuture(tokenSet(known)))
                .orElse(Future.failedFuture(IdentityError.INVALID_CLIENT.refusal())));
    }

    private TokenSet tokenSet(Client client) {
        Caller caller = new Caller(client.id(), client.sessionId(), Optional.empty(), client.permissions());
        return new TokenSet(tokens.issue(caller, REVISION), "", tokens.lifetime().toSeconds());
    }
}
