package io.arbitration.webhooks.urls;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.outbound.GuardedClient;
import io.arbitration.platform.outbound.OutboundFailure;
import io.arbitration.platform.outbound.TargetUrl;
import io.arbitration.platform.outbound.UnsafeUrl;
import io.arbitration.webhooks.members.Member;
import io.arbitration.webhooks.members.Members;
import io.arbitration.webhooks.sending.DeliveryAttempt;
import io.arbitration.webhooks.sending.SecretCipher;
import io.arbitration.webhooks.sending.SigningSecret;
import io.arbitration.webhooks.sending.TestSender;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The callback URLs of an organization: its members see them, its administrators change them. */
public final class UrlService {

    /** The kinds of events of a URL if its registration names none. */
    private static final List<String> DEFAULT_EVENTS = List.of("docket_filing");
    /** How long events are also signed with a secret that was replaced. */
    private static final Duration REPLACED_SECRET_VALID = Duration.ofHours(24);
    private static final String DISABLED_BY_HAND = "An administrator disabled it.";

    /** @param secret present at the first registration only */
    record Registered(RegisteredUrl url, Optional<SigningSecret> secret) {}

    private final Database database;
    private final UrlRepository urls;
    private final Members members;
    private final TestSender tests;
    private final GuardedClient client;
    private final SecretCipher secrets;
    private final OwnAddresses own;
    private final int urlsMax;
    private final Clock clock;
    private final RandomGenerator random;

    /** @param urlsMax how many URLs an organization may register */
    public UrlService(Database database, UrlRepository urls, Members members, TestSender tests, GuardedClient client, SecretCipher secrets, OwnAddresses own, int urlsMax,
            Clock clock, RandomGenerator random) {
        this.database = database;
        this.urls = urls;
        this.members = members;
        this.tests = tests;
        this.client = client;
        this.secrets = secrets;
        this.own = own;
        this.urlsMax = urlsMax;
        this.clock = clock;
        this.random = random;
    }

    /** Registers a URL. If it is registered already, its kinds of events are replaced by the given ones, if there are any. */
    Future<Registered> register(Requester requester, String url, List<String> events) {
        return members.administrator(requester).compose(member -> checked(url).compose(target -> database.transaction(requester.key(),
                transaction -> urls.lockOrganization(transaction, member.organizationId())
                        .compose(locked -> urls.find(transaction, member.organizationId(), url))
                        .compose(found -> found.isPresent()
                                ? changed(transaction, found.get(), events)
                                : insert(transaction, member, url, events)))));
    }

    private Future<Registered> changed(SqlConnection transaction, RegisteredUrl found, List<String> events) {
        return (events.isEmpty() || events.equals(found.events()) ? Future.succeededFuture(found) : urls.setEvents(transaction, found.id(), events))
                .map(url -> new Registered(url, Optional.empty()));
    }

    private Future<Registered> insert(SqlConnection transaction, Member member, String url, List<String> events) {
        SigningSecret secret = SigningSecret.random(random);
        return urls.count(transaction, member.organizationId()).compose(count -> count >= urlsMax
                ? Future.failedFuture(UrlError.TOO_MANY.refusal(urlsMax))
                : urls.insert(transaction, member, url, events.isEmpty() ? DEFAULT_EVENTS : events,
                                secrets.seal(secret, member.organizationId(), url), Timestamps.milliseconds(clock.instant()))
                        .map(inserted -> new Registered(inserted, Optional.of(secret))));
    }

    /** Refuses a URL that must not be called. A name that cannot be resolved yet is accepted: each delivery checks again. */
    private Future<TargetUrl> checked(String url) {
        TargetUrl target;
        try {
            target = TargetUrl.parse(url);
        } catch (UnsafeUrl unsafe) {
            return Future.failedFuture(UrlError.INVALID_URL.refusal(unsafe.getMessage()));
        }
        if (own.names(target)) {
            return Future.failedFuture(UrlError.INVALID_URL.refusal(OwnAddresses.REASON));
        }
        return client.check(target)
                .recover(refused -> mayResolveLater(target, refused)
                        ? Future.succeededFuture(List.of())
                        : Future.failedFuture(UrlError.INVALID_URL.refusal(isOwnPort(refused) ? OwnAddresses.REASON : refused.getMessage())))
                .compose(addresses -> addresses.stream().anyMatch(address -> own.has(address, target.port()))
                        ? Future.failedFuture(UrlError.INVALID_URL.refusal(OwnAddresses.REASON))
                        : Future.succeededFuture(target));
    }

    private static boolean isOwnPort(Throwable refused) {
        return refused instanceof OutboundFailure failure && failure.kind() == OutboundFailure.Kind.OWN_PORT;
    }

    private static boolean mayResolveLater(TargetUrl target, Throwable refused) {
        return target.secure() && refused instanceof OutboundFailure failure && failure.kind() == OutboundFailure.Kind.NAME_NOT_RESOLVED;
    }

    /** None for a caller that acts for no organization. */
    Future<List<RegisteredUrl>> list(Requester requester) {
        return members.find(requester).compose(member -> member.isEmpty()
                ? Future.succeededFuture(List.of())
                : urls.list(member.get().organizationId()));
    }

    Future<RegisteredUrl> view(Requester requester, String url) {
        return members.member(requester)
                .compose(member -> urls.find(member.organizationId(), url))
                .map(found -> found.orElseThrow(UrlError.NOT_FOUND::refusal));
    }

    Future<Void> delete(Requester requester, String url) {
        return change(requester, (transaction, member) -> urls.delete(transaction, member.organizationId(), url));
    }

    Future<Void> enable(Requester requester, String url) {
        return change(requester, (transaction, member) -> urls.enable(transaction, member.organizationId(), url));
    }

    Future<Void> disable(Requester requester, String url) {
        return change(requester, (transaction, member) -> urls.disable(transaction, member.organizationId(), url, DISABLED_BY_HAND));
    }

    /** Gives a URL a new secret. For a day, events are signed with the former one, too. */
    Future<SigningSecret> rotate(Requester requester, String url) {
        SigningSecret secret = SigningSecret.random(random);
        return change(requester, (transaction, member) -> urls.rotate(
                transaction, member.organizationId(), url, secrets.seal(secret, member.organizationId(), url), REPLACED_SECRET_VALID)).map(secret);
    }

    /** A change of one URL; false if the organization has no such URL. */
    @FunctionalInterface
    private interface Change {
        Future<Boolean> in(SqlConnection transaction, Member member);
    }

    private Future<Void> change(Requester requester, Change change) {
        return members.administrator(requester).compose(member -> database.transaction(requester.key(), transaction ->
                change.in(transaction, member).compose(found -> found ? Future.<Void>succeededFuture() : Future.failedFuture(UrlError.NOT_FOUND.refusal()))));
    }

    /** Sends a sample event to a URL now, once, whether it is enabled or not, and answers the result. */
    Future<DeliveryAttempt> test(Requester requester, String url) {
        return members.administrator(requester)
                .compose(member -> urls.target(member.organizationId(), url))
                .map(found -> found.orElseThrow(UrlError.NOT_FOUND::refusal))
                .compose(target -> tests.send(target, requester))
                .map(attempt -> attempt.orElseThrow(() -> UrlError.TEST_UNDER_WAY.refusal().retryAfter(tests.waitSeconds())));
    }
}
