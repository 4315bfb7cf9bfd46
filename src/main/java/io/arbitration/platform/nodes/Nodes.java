package io.arbitration.platform.nodes;

import io.arbitration.platform.PartState;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.nodes.NodeRepository.Heartbeat;
import io.arbitration.platform.nodes.NodeRepository.Objection;
import io.arbitration.platform.nodes.NodeRepository.OtherNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this node among the nodes on the same database. A node starts only if its settings agree with those of the
 * running nodes. It answers requests only while its definitions are the ones in force and its clock agrees with the database.
 * It checks both with a heartbeat every {@value #HEARTBEAT_MILLIS} ms, and when another node starts. A process that was suspended begins
 * no transaction until its next heartbeat.
 */
public final class Nodes {

    private static final String CHANNEL = "platform_nodes";
    private static final long HEARTBEAT_MILLIS = 1000;
    private static final long LOOK_MILLIS = 200;
    private static final long FORGET_MILLIS = 600_000;
    /** A node without a heartbeat for this long counts as dead, and others take over its work. */
    public static final Duration SILENT = Duration.ofSeconds(4);
    /** A node begins no more transactions when its last heartbeat is this old: before others take over its work. */
    private static final Duration TRUSTED = Duration.ofMillis(3500);
    private static final Duration ANSWERS = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    private final Vertx vertx;
    private final NodeRepository repository;
    private final CommitNotifications notifications;
    private final NodeFacts facts;
    private final Duration skewMost;
    private final boolean replacesDefinitions;
    private final Clock clock;
    private volatile long seenNanos;
    private volatile Optional<String> superseded = Optional.empty();
    private volatile Optional<String> skewed = Optional.empty();
    private volatile Optional<String> kafkaDiffers = Optional.empty();
    private long heartbeatTimer = -1;
    private volatile boolean entered;
    private boolean served;
    private boolean beating;
    private Future<Void> awaited = Future.succeededFuture();

    /**
     * @param database with a connection that is only used for heartbeats
     * @param skewMost the maximum difference between the clock of this node and that of the database; zero: not checked
     * @param replacesDefinitions whether the definitions of this node may replace others that are in force
     */
    public Nodes(Vertx vertx, UUID nodeId, Database database, CommitNotifications notifications, NodeFacts facts, Duration skewMost, boolean replacesDefinitions, Clock clock) {
        this.vertx = vertx;
        this.repository = new NodeRepository(database, nodeId);
        this.notifications = notifications;
        this.facts = facts;
        this.skewMost = skewMost;
        this.replacesDefinitions = replacesDefinitions;
        this.clock = clock;
    }

    /**
     * Makes this node a member. If a node with contradicting settings seems to be running, this waits until its heartbeats are
     * too old, and fails with {@link StartFailure} if they continue. It also fails if the clock is wrong.
     */
    public Future<Void> register() {
        return register(Optional.empty())
                .compose(done -> heartbeat())
                .compose(seen -> skewed.isPresent() ? deregister().compose(left -> Future.<Void>failedFuture(
                        new StartFailure(StartFailure.FAILED, "database.clockSkewSeconds: " + skewed.get(), null))) : Future.succeededFuture())
                .onSuccess(done -> {
                    notifications.on(CHANNEL, this::heartbeatNow);
                    heartbeatTimer = vertx.setPeriodic(HEARTBEAT_MILLIS, timer -> heartbeatNow());
                    vertx.setPeriodic(FORGET_MILLIS, timer -> repository.deleteSilent(Duration.ofMillis(FORGET_MILLIS))
                            .onFailure(failed -> LOG.warn("removing old nodes failed: {}", failed.getMessage())));
                });
    }

    /**
     * Puts the definitions of this node in force; completes when no other node serves by other definitions. To be called before
     * this node serves.
     */
    public Future<Void> serve() {
        return repository.putInForce(facts.definitions()).compose(changed -> {
            if (changed) {
                LOG.warn("the definitions of this node replace those of other nodes, which stop serving");
            }
            return heartbeat();
        }).compose(seen -> awaitOthersStopped(System.nanoTime() + SILENT.plusSeconds(2).toNanos()));
    }

    /** A killed node sends no more heartbeats; a node that sends another one is running. */
    private Future<Void> register(Optional<Objection> before) {
        return repository.register(facts, SILENT, this::objection).compose(objection -> {
            if (objection.isEmpty()) {
                entered = true;
                return Future.succeededFuture();
            }
            OtherNode other = objection.get().node();
            boolean alive = before.map(Objection::node).filter(known -> known.facts().equals(other.facts()) && other.seen().isAfter(known.seen())).isPresent();
            return alive
                    ? Future.failedFuture(new StartFailure(StartFailure.MISCONFIGURED, objection.get().text(), null))
                    : pause().compose(waited -> register(before.filter(known -> known.node().facts().equals(other.facts())).or(() -> objection)));
        });
    }

    private Optional<Objection> objection(List<OtherNode> nodes) {
        return nodes.stream()
                .flatMap(node -> objection(node.facts()).map(text -> new Objection(node, text)).stream()).findFirst();
    }

    private Optional<String> objection(NodeFacts other) {
        if (facts.clusterSecret().isPresent() && other.clusterSecret().isPresent() && !facts.clusterSecret().equals(other.clusterSecret())) {
            return Optional.of("cluster.secret: is not that of the node %s, which runs on this database".formatted(other.name()));
        }
        if (!facts.definitions().equals(other.definitions()) && !replacesDefinitions) {
            return Optional.of(("definitions.folder: the definitions are not those of the node %s, which runs on this database; with definitions.replace they take their "
                    + "place, and that node stops serving").formatted(other.name()));
        }
        return Optional.empty();
    }

    /** Waits until no node serves by other definitions. */
    private Future<Void> awaitOthersStopped(long end) {
        return repository.others(SILENT).compose(nodes -> {
            Optional<OtherNode> serving = nodes.stream()
                    .filter(other -> other.serves() && !other.facts().definitions().equals(facts.definitions())).findFirst();
            if (serving.isEmpty() || superseded.isPresent()) {
                return Future.succeededFuture();
            }
            return System.nanoTime() > end
                    ? Future.failedFuture(new StartFailure(StartFailure.FAILED,
                            "definitions.replace: the node %s still serves with other definitions".formatted(serving.get().facts().name()), null))
                    : pause().compose(waited -> awaitOthersStopped(end));
        });
    }

    private Future<Void> pause() {
        Promise<Void> waited = Promise.promise();
        vertx.setTimer(LOOK_MILLIS, timer -> waited.complete());
        return waited.future();
    }

    private void heartbeatNow() {
        if (!beating) {
            beating = true;
            heartbeat().onComplete(seen -> beating = false, failed -> {
                beating = false;
                LOG.debug("this node could not say that it is there: {}", failed.getMessage());
            });
        }
    }

    private Future<Void> heartbeat() {
        long sent = System.nanoTime();
        Instant sentAt = clock.instant();
        return repository.heartbeat(facts).compose(beat -> {
            Duration way = Duration.ofNanos(System.nanoTime() - sent);
            skewed = skew(sentAt, way, beat);
            apply(beat);
            seenNanos = sent;
            return facts.kafka().isEmpty() ? Future.succeededFuture(List.<OtherNode>of()) : repository.others(SILENT);
        }).map(nodes -> {
            kafkaDiffers = kafkaDiffers(nodes);
            return null;
        });
    }

    private synchronized void apply(Heartbeat beat) {
        Optional<String> now = beat.inForce().equals(facts.definitions()) ? Optional.empty()
                : Optional.of("other definitions than those of this node are in force on the database; start it with those");
        if (now.isPresent() && superseded.isEmpty() && served) {
            LOG.error("this node stops serving: {}", now.get());
        }
        superseded = now;
        served |= now.isEmpty();
    }

    /** The database read its clock at some moment between sending and receiving; only a time outside of that interval is a difference. */
    private Optional<String> skew(Instant sentAt, Duration way, Heartbeat beat) {
        Duration ahead = Duration.between(beat.at(), sentAt);
        Duration behind = Duration.between(sentAt.plus(way), beat.at());
        Duration off = ahead.compareTo(behind) > 0 ? ahead : behind;
        if (skewMost.isZero() || off.compareTo(skewMost) <= 0) {
            return Optional.empty();
        }
        return Optional.of("the clock of this machine is %d s %s that of the database, more than the %d s that are allowed".formatted(
                off.toSeconds(), ahead.compareTo(behind) > 0 ? "ahead of" : "behind", skewMost.toSeconds()));
    }

    private Optional<String> kafkaDiffers(List<OtherNode> nodes) {
        return facts.kafka().flatMap(own -> nodes.stream().filter(OtherNode::last)
                .filter(other -> !other.facts().kafka().equals(facts.kafka())).findFirst()
                .map(other -> "the node %s, which was started later, has other settings of Kafka (%s; here %s): they share one cursor, so this node publishes nothing"
                        .formatted(other.facts().name(), other.facts().kafka().orElseThrow(), own)));
    }

    /** Why this node does not answer requests now; empty: it does. From any thread. */
    public Optional<String> outOfService() {
        if (superseded.isPresent()) {
            return superseded;
        }
        if (skewed.isPresent()) {
            return skewed;
        }
        long silent = System.nanoTime() - seenNanos;
        return entered && silent > ANSWERS.toNanos()
                ? Optional.of("for %d s this node has not heard from the database what is in force".formatted(Duration.ofNanos(silent).toSeconds()))
                : Optional.empty();
    }

    /**
     * Completes when this node may begin a transaction: after a suspension or a network failure not before its next heartbeat,
     * which is sent at once, because other nodes take over its work after {@link #SILENT}. Fails if the database does not record
     * that heartbeat in time.
     *
     * @return completed on the context of the caller
     */
    public Future<Void> mayBegin() {
        if (isTrusted()) {
            return Future.succeededFuture();
        }
        Context caller = vertx.getOrCreateContext();
        Promise<Void> begins = Promise.promise();
        nextHeartbeat().onComplete(heard -> caller.runOnContext(go -> {
            if (isTrusted()) {
                begins.complete();
            } else {
                begins.fail(new IOException("this node was silent, and others may have taken over what it had begun", heard.cause()));
            }
        }));
        return begins.future();
    }

    private boolean isTrusted() {
        return !entered || System.nanoTime() - seenNanos < TRUSTED.toNanos();
    }

    /** One heartbeat for all waiting callers. */
    private synchronized Future<Void> nextHeartbeat() {
        if (awaited.isComplete()) {
            awaited = heartbeat();
        }
        return awaited;
    }

    /** Why this node must not publish to Kafka: a node that started later has other settings. From any thread. */
    public Optional<String> kafkaDiffers() {
        return kafkaDiffers;
    }

    /** Whether the definitions of this node are in force, for health. */
    public PartState definitions() {
        return superseded.map(trouble -> new PartState("SUPERSEDED", Optional.of(trouble))).orElse(PartState.of("UP"));
    }

    public PartState clock() {
        return skewed.map(trouble -> new PartState("WRONG", Optional.of(trouble))).orElse(PartState.of(skewMost.isZero() ? "OFF" : "UP"));
    }

    public Future<Void> deregister() {
        if (!entered) {
            return Future.succeededFuture();
        }
        entered = false;
        vertx.cancelTimer(heartbeatTimer);
        return repository.deregister();
    }
}
