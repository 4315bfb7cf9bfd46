package io.arbitration.cases.calendar;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.UserId;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.time.CalendarText;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.CachedBody;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.listing.PageByTime;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Creates, lists, revokes and reads calendar feeds. Anybody who knows the secret URL of a feed reads what its user may see at
 * that moment.
 */
final class FeedService {

    static final int FEEDS_MAX = 20;
    static final String CONTENT_TYPE = "text/calendar; charset=utf-8";
    private static final int SECRET_BYTES = 32;
    private static final String SUFFIX = ".ics";
    /** Age up to which past entries stay in a feed. */
    private static final Duration PAST = Duration.ofDays(31);
    private static final Duration AHEAD = Duration.ofDays(5 * 365);

    private final Vertx vertx;
    private final Database database;
    private final FeedRepository repository;
    private final CalendarSource deadlines;
    private final CalendarSource hearings;
    private final RateLimiter guesses;
    private final String areaUrl;
    private final Clock clock;
    private final SecureRandom random;

    /**
     * @param deadlines the deadlines of a feed
     * @param hearings the hearings of a feed
     * @param guesses the rate of requests of one network for feeds that do not exist
     * @param areaUrl public URL of the area
     */
    FeedService(Vertx vertx, Database database, FeedRepository repository, CalendarSource deadlines, CalendarSource hearings, RateLimiter guesses,
            String areaUrl, Clock clock, SecureRandom random) {
        this.vertx = vertx;
        this.database = database;
        this.repository = repository;
        this.deadlines = deadlines;
        this.hearings = hearings;
        this.guesses = guesses;
        this.areaUrl = areaUrl;
        this.clock = clock;
        this.random = random;
    }

    /** A new feed with its secret URL, which cannot be shown again. */
    record Created(UUID feedId, String url) {}

    Future<Created> create(Optional<String> name, Requester requester) {
        UserId userId = new UserId(requester.userId());
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Feed feed = new Feed(Identifiers.random(random), userId, name, Timestamps.milliseconds(clock.instant()));
        return database.transaction(requester.key(), transaction -> repository.lockOwner(transaction, userId)
                .compose(isUser -> isUser ? repository.count(transaction, userId) : Future.failedFuture(FeedError.USERS_ONLY.refusal()))
                .compose(count -> count < FEEDS_MAX ? repository.insert(transaction, feed, Sha256.of(secret))
                        : Future.failedFuture(FeedError.TOO_MANY.refusal(FEEDS_MAX))))
                .map(inserted -> new Created(feed.feedId(), areaUrl + "/calendar/" + secret + SUFFIX));
    }

    /** The feeds of the caller, in order of creation. */
    Future<PageByTime<Feed>> list(PageByTime.Wanted wanted, Requester requester) {
        return repository.ofUser(new UserId(requester.userId()), wanted.after(), wanted.rows())
                .map(found -> wanted.page(found, feed -> new TimeKey(feed.created(), feed.feedId())));
    }

    Future<Void> revoke(Optional<UUID> feedId, Requester requester) {
        UUID id = feedId.orElseThrow(FeedError.FEED_NOT_FOUND::refusal);
        return database.transaction(requester.key(), transaction -> repository.delete(transaction, new UserId(requester.userId()), id))
                .compose(deleted -> deleted ? Future.succeededFuture() : Future.failedFuture(FeedError.FEED_NOT_FOUND.refusal()));
    }

    /**
     * The calendar at a secret URL.
     *
     * @param named the last segment of the URL
     * @param network of the client
     */
    Future<CachedBody> read(String named, String network) {
        Future<Optional<Feed>> found = named.endsWith(SUFFIX)
                ? repository.bySecret(Sha256.of(named.substring(0, named.length() - SUFFIX.length()))) : Future.succeededFuture(Optional.empty());
        return found.compose(feed -> feed.map(this::read).orElseGet(() -> {
            guesses.admit(network);
            return Future.failedFuture(FeedError.FEED_NOT_FOUND.refusal());
        }));
    }

    private Future<CachedBody> read(Feed feed) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return entries(source -> source.earliest(feed.userId(), now, now.plus(AHEAD), FeedText.ENTRIES_MAX)).compose(coming -> {
            int left = FeedText.ENTRIES_MAX - coming.count();
            // The database stores microseconds. With this step between the two queries, an entry that begins now is in exactly one of them.
            return (left <= 0 ? Future.succeededFuture(FeedText.Entries.NONE)
                    : entries(source -> source.latest(feed.userId(), now.minus(PAST), now.minus(1, ChronoUnit.MICROS), left)))
                    .compose(past -> vertx.executeBlocking(() -> CachedBody.of(CONTENT_TYPE,
                            FeedText.of(feed.name(), coming, past).getBytes(StandardCharsets.UTF_8)), false));
        });
    }

    private Future<FeedText.Entries> entries(Function<CalendarSource, Future<List<CalendarText.Entry>>> asked) {
        return asked.apply(deadlines).compose(ofDeadlines -> asked.apply(hearings).map(ofHearings -> new FeedText.Entries(ofDeadlines, ofHearings)));
    }
}
