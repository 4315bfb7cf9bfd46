package io.arbitration.identity.clients;

import io.arbitration.domain.OrganizationId;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.organizations.OrganizationRepository;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.OAuthError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Permission;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Machine clients. A client authenticates with a secret instead of an ID token, has permissions instead of a profile, and may act for an
 * organization. Super administrators create clients. Administrators of an organization create clients without permissions that act for it.
 */
public final class ClientService {

    private static final String SECRET_PREFIX = "acp_";
    /** The tolerated difference between the clocks of the node that issued a token and of the one that ends it. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

    private final Database database;
    private final ClientRepository clients;
    private final OrganizationRepository organizations;
    private final AccessTokens tokens;
    private final Revocations revocations;
    private final SecurityEvents security;
    private final Secrets secrets;
    private final int clientsPerOrganizationMax;
    private final RateLimiter changes;
    private final BiPredicate<String, byte[]> matches;
    private final Clock clock;

    /** A new client with its secret, which is only stored as a hash. */
    record Created(UUID clientId, String secret) {}

    /** An access token of a client, with the permissions in it. */
    record Issued(String accessToken, Duration lifetime, Set<String> permissions) {}

    /** @param matches compares a secret with a hash, in a time that does not depend on either */
    public ClientService(Database database, ClientRepository clients, OrganizationRepository organizations, AccessTokens tokens,
            Revocations revocations, SecurityEvents security, Secrets secrets, int clientsPerOrganizationMax, RateLimiter changes, BiPredicate<String, byte[]> matches, Clock clock) {
        this.database = database;
        this.clients = clients;
        this.organizations = organizations;
        this.tokens = tokens;
        this.revocations = revocations;
        this.security = security;
        this.secrets = secrets;
        this.clientsPerOrganizationMax = clientsPerOrganizationMax;
        this.changes = changes;
        this.matches = matches;
        this.clock = clock;
    }

    /**
     * Creates a client.
     *
     * @param organizationId the organization that it acts for; the inner value is empty if the text has not the form of an id
     */
    Future<Created> create(Requester requester, String name, Set<String> permissions, Optional<Optional<OrganizationId>> organizationId) {
        if (!requester.isSuperAdministrator() && (organizationId.isEmpty() || !permissions.isEmpty())) {
            throw permissionRequired();
        }
        if (!Permission.ALL.containsAll(permissions)) {
            throw ClientError.PERMISSION_NOT_FOUND.refusal();
        }
        Optional<UUID> organization = organizationId.map(id -> id.orElseThrow(ClientError.ORGANIZATION_NOT_FOUND::refusal).value());
        Created created = new Created(secrets.id(), secrets.secret(SECRET_PREFIX));
        Client client = new Client(created.clientId(), name, Secrets.hash(created.secret()), Optional.empty(), permissions, secrets.id(), organization, 0,
                clock.instant(), Optional.empty(), false);
        return database.transaction(requester.key(), transaction ->
                        organization.map(id -> admit(transaction, requester, id)).orElse(Future.succeededFuture())
                                .compose(admitted -> clients.insert(transaction, client, requester.userId())))
                .onSuccess(inserted -> security.acted(requester.userId(), "client.created", client.id() + " permissions=" + client.permissions()))
                .map(created);
    }

    private Future<Void> admit(SqlConnection transaction, Requester requester, UUID organizationId) {
        return clients.lockOrganization(transaction, organizationId).compose(exists -> {
            if (!exists) {
                return Future.failedFuture(ClientError.ORGANIZATION_NOT_FOUND.refusal());
            }
            return administers(transaction, requester, organizationId).compose(administers -> administers
                    ? clients.countOf(transaction, organizationId)
                    : Future.failedFuture(ClientError.NOT_AN_ADMINISTRATOR.refusal())).compose(count -> count < clientsPerOrganizationMax
                    ? Future.succeededFuture()
                    : Future.failedFuture(ClientError.TOO_MANY_CLIENTS.refusal(clientsPerOrganizationMax)));
        });
    }

    private static RuntimeException permissionRequired() {
        return HttpError.PERMISSION.refusal(Permission.SUPER_ADMINISTRATOR);
    }

    /** Checked in the transaction of the change, so that an administrator who was removed while the request waited changes nothing. */
    private Future<Boolean> administers(SqlConnection transaction, Requester requester, UUID organizationId) {
        return requester.isSuperAdministrator() ? Future.succeededFuture(true)
                : organizations.holdsAdministrator(transaction, organizationId, requester.userId());
    }

    /** The organizations whose clients the requester may see and change; empty for a super administrator, who may see and change all. */
    private Future<Optional<Set<UUID>>> within(Requester requester) {
        return requester.isSuperAdministrator() ? Future.succeededFuture(Optional.empty())
                : organizations.administeredBy(requester.userId()).compose(administered -> administered.isEmpty()
                        ? Future.failedFuture(permissionRequired())
                        : Future.succeededFuture(Optional.of(administered)));
    }

    Future<PageByTime<Client>> list(Requester requester, PageByTime.Wanted wanted) {
        return within(requester)
                .compose(organizations -> clients.list(organizations.map(ids -> ids), wanted))
                .map(rows -> wanted.page(rows, client -> new TimeKey(client.created(), client.id())));
    }

    /** Changes a client. For a requester who may not change it, it is answered as not found. */
    private <T> Future<T> change(Requester requester, Optional<UUID> clientId, BiFunction<SqlConnection, Client, Future<T>> work) {
        return within(requester).compose(organizations -> database.transaction(requester.key(), transaction -> {
            UUID id = clientId.orElseThrow(ClientError.CLIENT_NOT_FOUND::refusal);
            return clients.lock(transaction, id)
                    .map(found -> found
                            .filter(client -> organizations.isEmpty() || client.organizationId().filter(organizations.get()::contains).isPresent())
                            .orElseThrow(ClientError.CLIENT_NOT_FOUND::refusal))
                    .compose(client -> client.organizationId().map(organization -> administers(transaction, requester, organization))
                            .orElse(Future.succeededFuture(true))
                            .compose(administers -> administers ? admitted(requester, client).compose(admitted -> work.apply(transaction, client))
                                    : Future.failedFuture(ClientError.CLIENT_NOT_FOUND.refusal())));
        }));
    }

    /** Bounds the changes of one organization, because each change is sent to every node. */
    private Future<Void> admitted(Requester requester, Client client) {
        try {
            if (!requester.isSuperAdministrator()) {
                changes.admit(client.organizationId().orElse(client.id()));
            }
            return Future.succeededFuture();
        } catch (Refusal refused) {
            return Future.failedFuture(refused);
        }
    }

    /** Replaces the secret. @param overlap how long the former secret and its tokens stay valid */
    Future<String> rotate(Requester requester, Optional<UUID> clientId, Duration overlap) {
        String secret = secrets.secret(SECRET_PREFIX);
        Instant now = clock.instant();
        Instant until = now.plus(overlap);
        return change(requester, clientId, (transaction, client) ->
                        clients.setSecret(transaction, client.id(), Secrets.hash(secret), secrets.id(),
                                        overlap.isZero() ? Optional.empty() : Optional.of(until))
                                .compose(set -> revocations.endSessions(transaction, ended(client, now, !overlap.isZero())))
                                .compose(ended -> overlap.isZero() ? Future.succeededFuture()
                                        : revocations.planEnd(transaction, client.sessionId(), until))
                                .map(client))
                .onSuccess(client -> {
                    ended(client, now, !overlap.isZero()).forEach(revocations::sessionEnded);
                    if (!overlap.isZero()) {
                        revocations.endPlanned(client.sessionId(), until);
                    }
                    security.acted(requester.userId(), "client.secret-rotated", client.id().toString());
                })
                .map(secret);
    }

    /** Disables a client; its access tokens end at once. */
    Future<Void> disable(Requester requester, Optional<UUID> clientId) {
        Instant now = clock.instant();
        return change(requester, clientId, (transaction, client) ->
                        clients.disable(transaction, client.id(), secrets.id(), now)
                                .compose(disabled -> revocations.endSessions(transaction, ended(client, now, false)))
                                .map(client))
                .onSuccess(client -> {
                    ended(client, now, false).forEach(revocations::sessionEnded);
                    security.acted(requester.userId(), "client.disabled", client.id().toString());
                })
                .mapEmpty();
    }

    /**
     * The sessions that a change of the client ends. Sessions whose tokens have all expired are left out, so that repeated changes do not
     * fill the memory of the nodes with revocations.
     *
     * @param staysGood whether the session of the present secret continues
     */
    private List<UUID> ended(Client client, Instant now, boolean staysGood) {
        if (client.lastUsed().filter(used -> now.isBefore(used.plus(tokens.lifetime()).plus(CLOCKS_DIFFER))).isEmpty()) {
            return List.of();
        }
        return Stream.concat(staysGood ? Stream.empty() : Stream.of(client.sessionId()), client.previousSession(now).stream()).toList();
    }

    Future<Void> enable(Requester requester, Optional<UUID> clientId) {
        return change(requester, clientId, (transaction, client) -> clients.enable(transaction, client.id()).map(client))
                .onSuccess(client -> security.acted(requester.userId(), "client.enabled", client.id().toString()))
                .mapEmpty();
    }

    /** Grants a permission, which is in the next token of the client. The contract allows this to super administrators only. */
    Future<Void> grant(Requester requester, Optional<UUID> clientId, String permission) {
        return change(requester, clientId, (transaction, client) -> known(permission)
                        .compose(known -> clients.grant(transaction, client.id(), permission, clock.instant()))
                        .map(client))
                .onSuccess(client -> security.acted(requester.userId(), "permission.granted", client.id() + " " + permission))
                .mapEmpty();
    }

    /** Revokes a permission; the client's present tokens lose it at once. */
    Future<Void> revoke(Requester requester, Optional<UUID> clientId, String permission) {
        return change(requester, clientId, (transaction, client) -> known(permission)
                        .compose(known -> clients.revoke(transaction, client.id(), permission))
                        .compose(revision -> revocations.takePermission(transaction, client.id(), permission, revision)
                                .map(new Taken(client.id(), revision))))
                .onSuccess(taken -> {
                    revocations.permissionTaken(taken.clientId(), permission, taken.revision());
                    security.acted(requester.userId(), "permission.revoked", taken.clientId() + " " + permission);
                })
                .mapEmpty();
    }

    private record Taken(UUID clientId, long revision) {}

    private static Future<Void> known(String permission) {
        return Permission.ALL.contains(permission)
                ? Future.succeededFuture()
                : Future.failedFuture(ClientError.PERMISSION_NOT_FOUND.refusal());
    }

    /** A token for a client with the right secret; empty for a wrong one, an unknown or a disabled client. There is no refresh token. */
    Future<Optional<Issued>> token(Optional<UUID> clientId, String secret) {
        return token(clientId, secret, Optional.empty());
    }

    /** @param scope the permissions of the token; empty: all permissions of the client */
    Future<Optional<Issued>> token(Optional<UUID> clientId, String secret, Optional<Set<String>> scope) {
        Instant now = clock.instant();
        // The same work for an unknown client, and for what is no id: otherwise the time of the answer would reveal which clients exist.
        return clients.find(clientId.orElse(Client.NOBODY.id())).map(found -> found.orElse(Client.NOBODY))
                .compose(client -> client.sessionOf(secret, now, matches).map(session -> issuedTo(client, session, scope, now))
                        .orElse(Future.succeededFuture(Optional.empty())));
    }

    private Future<Optional<Issued>> issuedTo(Client client, UUID sessionId, Optional<Set<String>> scope, Instant now) {
        Issued issued = issued(client, sessionId, scope.orElse(client.permissions()));
        return clients.used(client.id(), sessionId, now).map(lives -> lives ? Optional.of(issued) : Optional.empty());
    }

    private Issued issued(Client client, UUID sessionId, Set<String> permissions) {
        if (!client.permissions().containsAll(permissions)) {
            throw OAuthError.INVALID_SCOPE.refusal();
        }
        Caller caller = new Caller(client.id(), sessionId, permissions, client.organizationId().orElse(client.id()));
        return new Issued(tokens.issue(caller, client.organizationId(), client.grantsRevision(), Optional.empty()), tokens.lifetime(), permissions);
    }
}
