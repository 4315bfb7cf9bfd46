package io.arbitration.platform.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.outbound.Cidr;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every setting, parsed once and checked against its bounds; {@code conf/platform.yaml} says what each one means. */
public record Settings(
        Profile profile, Path home, Http http, Management management, Areas areas, RateLimit rateLimit, Path dataFolder,
        Path definitionsFolder, boolean definitionsReplace, Database database, Identity identity, Keys keys, Docket docket, Webhooks webhooks,
        Push push, Outbound outbound, Objects objects, Evidence evidence, Export export, Smtp smtp, Path emailTemplatesFolder,
        Optional<String> alertsCaseUrl, Pdfs pdfs, Browser browser, Ai ai, Kafka kafka, EventBus eventBus, Traces traces, Logs logs, Optional<Cluster> cluster) {

    private static final int DNS_PORT = 53;
    private static final String BASE_URL_BOUND = "http:// or https:// and a host, no slash at the end";
    private static final Function<String, Optional<String>> BASE_URL = Configuration.matching("https?://[^/?#@\\s]+(/[^?#\\s]*[^/?#\\s])?");
    private static final String BUCKET_BOUND = "file://name, s3://name or gs://name; 2 to 63 lower case letters, digits, dots, dashes or underscores";
    private static final String DATE_BOUND = "a date, e.g. 2026-11-21";
    private static final Pattern NAME_SERVER = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)\\]|([0-9.]+))(?::([0-9]{1,5}))?");

    private static final String BROKER = "(?:\\[[0-9a-fA-F:.]+]|[^\\s,:/\\[\\]]+):[0-9]{1,5}";
    private static final String BROKERS = BROKER + "(?:\\s*,\\s*" + BROKER + ")*";
    private static final String MEMBER = "(?:\\[[0-9a-fA-F:.]+]|[^\\s,:/\\[\\]]+)(?::[0-9]{1,5})?";
    private static final int CLUSTER_SECRET_LEAST = 32;
    private static final int CLUSTER_SECRET_MOST = 1000;
    private static final Set<String> EVENT_KINDS = Set.of("docket_filing", "case_created", "phase_changed", "case_closed", "filing_submitted", "filing_rejected");
    private static final String KAFKA_PROPERTIES = "security\\.protocol|client\\.dns\\.lookup|(?:sasl|ssl)\\.[a-z.]+";

    public enum Profile { DEMO, PRODUCTION }

    public record Http(
            String host, int port, Optional<String> publicUrl, int eventLoops, int bodyBytesMax, long bodiesBytesMax,
            int validateInlineBytesMax, Duration body, Duration idle, int connectionsMax, Duration drain, boolean compression, List<String> corsOrigins, List<Cidr> trustedProxies,
            Optional<Tls> tls) {}

    public record Tls(Path certificateFile, Path keyFile) {}

    /** @param diskFreeBytesMin with less room for its files, a node says so in its health */
    public record Management(String host, int port, long diskFreeBytesMin) {}

    /** Where an area answers when it is not a path of the front door. */
    public sealed interface Address {
        record HostName(String name) implements Address {}

        record Port(int number) implements Address {}
    }

    public record Areas(Map<String, Address> addresses, Set<String> enabled) {
        public boolean serves(String area) {
            return enabled.isEmpty() || enabled.contains(area);
        }
    }

    /** @param capturesPerMinute captures of web pages by one caller */
    public record RateLimit(boolean enabled, int perCaller, int perAddress, int capturesPerMinute) {}

    public record Database(
            Optional<String> url, Optional<String> ownerUrl, Duration connectWait, int poolConnections, int poolWaitersMax, Duration poolWait, int embeddedPort,
            Duration clockSkew) {
        /** The same for a pool of so many connections. */
        public Database withConnections(int connections) {
            return new Database(url, ownerUrl, connectWait, connections, poolWaitersMax, poolWait, embeddedPort, clockSkew);
        }

        /** Without the URL, which may hold a password. */
        @Override
        public String toString() {
            return "Database[%s, poolConnections=%d]".formatted(url.isPresent() ? "external" : "embedded", poolConnections);
        }
    }

    /**
     * @param session the longest that a session lasts, however often it is renewed
     * @param ended how long ended sessions and answered invitations are kept
     */
    public record Identity(
            Optional<String> issuer, String audience, Duration accessToken, Duration refreshToken, Duration refreshReuse, Duration session,
            Duration ended, Duration signingKey, Duration clockSkew, Set<String> superAdministrators, Map<String, Provider> providers) {}

    /**
     * An external OpenID provider; exactly one of the two key sources is set.
     *
     * @param client what this platform is to the provider; empty: browsers do not sign in there
     * @param emailVerifiedAsText whether the text {@code "true"} is taken for {@code email_verified}
     */
    public record Provider(
            String name, String issuer, List<String> audiences, Optional<String> jwksUrl, Optional<Path> jwksFile,
            List<String> algorithms, Optional<ProviderClient> client, boolean emailVerifiedAsText) {}

    /** The client that a provider knows this platform as; without a secret it is a public one. Its text form leaves the secret out. */
    public record ProviderClient(String id, Optional<String> secret) {
        @Override
        public String toString() {
            return "ProviderClient[%s]".formatted(id);
        }
    }

    /**
     * @param keysetFile the keys that encrypt what is stored
     * @param service what encrypts that file
     * @param patience how long a start waits for a service that is away
     */
    public record Keys(Path keysetFile, KeyService service, Duration patience) {}

    /** What encrypts the keyset; their text forms leave secrets out. */
    public sealed interface KeyService {
        /** Nothing does: the file's permissions alone guard it. */
        record Local() implements KeyService {}
    }

    /** @param sessionToken of temporary credentials, else empty */
    public record AwsKms(String endpoint, String region, String keyId, String accessKeyId, String secretAccessKey, String sessionToken) implements KeyService {
        @Override
        public String toString() {
            return "AwsKms[%s, %s]".formatted(region, keyId);
        }
    }

    /** @param credentialsFile of a service account; empty: the machine's own, which the metadata endpoint gives */
    public record GcpKms(String endpoint, String metadataEndpoint, String key, Optional<Path> credentialsFile) implements KeyService {}

    /** @param tokenFile is read at each call; empty: the token is used */
    public record Vault(String address, String mount, String key, String token, Optional<Path> tokenFile, Optional<String> namespace) implements KeyService {
        @Override
        public String toString() {
            return "Vault[%s, %s/%s]".formatted(address, mount, key);
        }
    }

    public record Docket(long cacheBytesMax, int writeLanes, int writeQueueMax) {}

    /**
     * @param created when the service was, for its welcome
     * @param inFlight deliveries on their way at once from this node
     * @param inFlightPerUrl of those, to one URL from all nodes
     * @param exchange time for one attempt, from the name to the last byte
     * @param history how long deliveries that ended are kept
     */
    public record Webhooks(
            LocalDate created, String author, int urlsMax, int inFlight, int inFlightPerUrl, Duration exchange, Duration history) {}

    /**
     * @param allowedEndpoints origins of push services; a host may begin with {@code *.} for all below it
     * @param subject contact for push services, a mailto: or https: address; empty: none is told
     * @param anonymous whether a browser may subscribe without a token
     * @param anonymousMax browsers that did
     * @param subscriptionsMax of one user
     * @param ttl how long a push service keeps a notification for a browser that is away
     * @param inFlight notifications on their way at once from this node
     * @param inFlightPerService of those, to one push service from all nodes
     * @param exchange time for one attempt, from the name to the last byte
     * @param history how long notifications that ended are kept
     */
    public record Push(
            List<String> allowedEndpoints, Optional<String> subject, boolean anonymous, int anonymousMax, int subscriptionsMax, Duration ttl, int inFlight,
            int inFlightPerService, Duration exchange, Duration history) {}

    /**
     * Calls to user-given addresses.
     *
     * @param allowedPrivate blocks that they may reach although they are not public
     * @param nameServers who is asked for the addresses of their hosts; none: whom this machine asks
     */
    public record Outbound(List<Cidr> allowedPrivate, List<InetSocketAddress> nameServers) {}

    /** A place for objects, written {@code file://name}, {@code s3://name} or {@code gs://name}. */
    public record Bucket(Scheme scheme, String name) {

        public enum Scheme { FILE, S3, GS }

        private static final Pattern FORM = Pattern.compile("(file|s3|gs)://([a-z0-9][a-z0-9._-]{0,61}[a-z0-9])");

        /** Empty for a text that is no bucket. */
        public static Optional<Bucket> parse(String text) {
            Matcher form = FORM.matcher(text);
            return form.matches()
                    ? Optional.of(new Bucket(Scheme.valueOf(form.group(1).toUpperCase(Locale.ROOT)), form.group(2)))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return scheme.name().toLowerCase(Locale.ROOT) + "://" + name;
        }
    }

    /** A service that speaks the S3 protocol. Its text form leaves the secret out. */
    public record S3(String endpoint, String region, String accessKeyId, String secretAccessKey) {
        @Override
        public String toString() {
            return "S3[%s, %s]".formatted(endpoint, region);
        }
    }

    /**
     * @param templatesFolder holds PDFs with forms, each named by its document ID
     * @param templateBytesMax of a file that is uploaded
     * @param templatesBytesMax of memory that all templates may take
     * @param queueMax PDFs waiting for a thread to make them
     */
    public record Pdfs(Path templatesFolder, int templateBytesMax, long templatesBytesMax, int queueMax) {}

    /**
     * The browser that shows pages.
     *
     * @param binary empty: the usual ones are looked for
     * @param profilesFolder what it writes, gone when it ends
     * @param atOnce pages shown at once
     * @param queueMax pages that wait for their turn, each no longer than the deadline
     * @param deadline for one page, from asking for it to having it
     * @param pagesMax after so many the browser is replaced
     * @param pageBytesMax memory of one of its processes; one that takes more is ended
     * @param bytesMax memory of all of them; the browser is replaced when they have taken more
     * @param downloadBytesMax what one page may send and receive
     * @param connectionsMax that one page may have open
     * @param ownNetwork whether it runs in a network namespace of its own, where the machine allows one
     */
    public record Browser(
            Optional<String> binary, Path profilesFolder, int atOnce, int queueMax, Duration deadline, int pagesMax, long pageBytesMax, long bytesMax,
            long downloadBytesMax, int connectionsMax, boolean ownNetwork) {}

    /**
     * Analyses and draft awards.
     *
     * @param model empty: none is configured
     * @param awardsPerMinute of one caller
     * @param award time for a draft award
     * @param objectBytesMax of a document or exhibit that is read
     * @param reading time for reading one
     * @param analysis time for one analysis
     */
    public record Ai(
            Optional<Model> model, int awardsPerMinute, int awardsAtOnce, Duration award, long objectBytesMax, int pagesMax,
            Duration reading, int analysesAtOnce, Duration analysis) {}

    /** How a model is asked for JSON. */
    public enum StructuredOutput { AUTO, JSON_SCHEMA, JSON_OBJECT, NONE }

    /**
     * An OpenAI-compatible model. Its text form leaves the key out.
     *
     * @param url of its chat completions
     * @param contextTokens what it takes and gives in one exchange
     * @param answerTokens of those, room for its answer
     * @param exchange time for one
     * @param inFlight exchanges at once from this node
     * @param queueMax exchanges waiting for one of those
     * @param pause how long it is left alone after it has failed several times
     */
    public record Model(
            String url, Optional<String> name, Optional<String> apiKey, StructuredOutput structured, boolean images, int contextTokens,
            int answerTokens, Duration exchange, int inFlight, int queueMax, Duration pause) {
        @Override
        public String toString() {
            return "Model[%s, %s]".formatted(url, name.orElse("(unnamed)"));
        }
    }

    /** @param folder holds the buckets of scheme {@code file}, a folder each */
    public record Objects(List<Bucket> buckets, Path folder, Optional<S3> s3, Optional<S3> gs) {}

    public record Evidence(Bucket bucket, long uploadBytesMax, int transfersMax, int transfersPerCaller, int uploadsPerPartyMax) {}

    /**
     * @param stall a client that takes longer for a block is cut off
     * @param most so is one that takes longer for the whole
     */
    public record Export(int atOnce, int atOncePerCaller, Duration stall, Duration most) {}

    /**
     * How mails leave.
     *
     * @param url empty: they are held
     * @param trustedCertificatesFile authorities that vouch for the server; empty: Java's own
     * @param inFlight mails on their way at once from this node
     * @param exchange time for one mail, from the connection to the last answer
     */
    public record Smtp(
            Optional<SmtpUrl> url, Mailbox from, StartTls startTls, Optional<Path> trustedCertificatesFile, int inFlight, Duration exchange,
            Optional<Dkim> dkim) {}

    /** Whether a connection that begins in the clear has to become a TLS one. */
    public enum StartTls { AUTO, REQUIRED, NEVER }

    /** Whose name mails are signed in, and the PKCS#8 file of the RSA key whose other half stands in the DNS. */
    public record Dkim(String domain, String selector, Path keyFile) {}

    /**
     * @param bootstrapServers {@code host:port}, comma separated; empty: no Kafka
     * @param events kinds of events that are published, each to a topic of its name
     * @param properties how the brokers are spoken to, by Kafka's own names; may hold secrets
     */
    public record Kafka(Optional<String> bootstrapServers, Set<String> events, String topicPrefix, Map<String, String> properties) {
        /** Without the values of properties. */
        @Override
        public String toString() {
            return "Kafka[%s, %s, %s]".formatted(bootstrapServers, events, properties.keySet());
        }
    }

    /** @param events whether events of the log are published on it */
    public record EventBus(boolean events) {}

    /**
     * @param endpoint of a collector of OpenTelemetry, OTLP over HTTP; empty: nothing is traced
     * @param headers that it asks for; may hold secrets
     * @param samplesPerMille of a thousand requests, how many are traced
     */
    public record Traces(Optional<String> endpoint, Map<String, String> headers, int samplesPerMille, String serviceName) {
        /** Without the values of headers. */
        @Override
        public String toString() {
            return "Traces[%s, %s]".formatted(endpoint, headers.keySet());
        }
    }

    /** @param level from which on lines are written */
    public record Logs(boolean json, String level) {}

    /**
     * The shared event bus. Its text form leaves the secret out.
     *
     * @param host address that this node listens at; empty: the one of this machine that the members are near
     * @param publicHost where the others reach it, if that differs
     * @param port of membership
     * @param busPort of the event bus; 0: any free port
     * @param members {@code host} or {@code host:port} of nodes that may be there
     * @param kubernetesService name of a headless service whose addresses are the members'
     */
    public record Cluster(
            Optional<String> host, Optional<String> publicHost, int port, int busPort, List<String> members, Optional<String> kubernetesService,
            String secret) {
        @Override
        public String toString() {
            return "Cluster[%s:%d, %s%s]".formatted(host.orElse("*"), port, members, kubernetesService.orElse(""));
        }
    }

    /** Algorithms an ID token may be signed with; symmetric ones and {@code none} are never among them. */
    private static final List<String> ID_TOKEN_ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    /** Parses every setting; throws {@link ConfigurationError} at the first one that is out of its bounds. */
    public static Settings parse(Configuration c, Path home) {
        Path dataFolder = home.resolve(required(c, "data.folder"));
        Objects objects = objects(c, dataFolder);
        Settings settings = new Settings(
                Profile.valueOf(c.oneOf("profile", "demo", "production").toUpperCase(Locale.ROOT)), home, http(c, home),
                new Management(required(c, "management.host"), c.whole("management.port", 0, 65535),
                        c.whole("management.diskFreeBytesMin", 0L, 1L << 50)), areas(c),
                new RateLimit(c.yesOrNo("rateLimit.enabled"), c.whole("rateLimit.perCaller", 1, 1_000_000),
                        c.whole("rateLimit.perAddress", 1, 1_000_000), c.whole("rateLimit.capturesPerMinute", 1, 100_000)),
                dataFolder,
                optional(c, "definitions.folder").map(home::resolve).orElse(home.resolve("conf/definitions")), c.yesOrNo("definitions.replace"),
                database(c),
                identity(c, home),
                keys(c, home, dataFolder),
                new Docket(c.whole("docket.cacheBytesMax", 0L, 4_294_967_296L), c.whole("docket.writeLanes", 1, 64),
                        c.whole("docket.writeQueueMax", 1, 100_000)),
                webhooks(c), push(c), outbound(c), objects, evidence(c, objects), export(c), smtp(c, home),
                optional(c, "emails.templatesFolder").map(home::resolve).orElse(home.resolve("conf/templates/email")), alertsCaseUrl(c), pdfs(c, home),
                browser(c, dataFolder), ai(c), kafka(c),
                new EventBus(c.yesOrNo("eventBus.events")), traces(c),
                new Logs(c.oneOf("telemetry.logs.format", "text", "json").equals("json"), c.oneOf("telemetry.logs.level", "error", "warn", "info", "debug", "trace")), cluster(c));
        if (!c.unreadKeys().isEmpty()) {
            throw new ConfigurationError("declared in conf/platform.yaml but read by nothing: " + c.unreadKeys());
        }
        return settings;
    }

    private static Pdfs pdfs(Configuration c, Path home) {
        return new Pdfs(optional(c, "pdfs.templatesFolder").map(home::resolve).orElse(home.resolve("conf/templates/pdf")),
                c.whole("pdfs.templateBytesMax", 1024, 12_582_912), c.whole("pdfs.templatesBytesMax", 1_048_576L, 4_294_967_296L),
                c.whole("pdfs.queueMax", 1, 100_000));
    }

    private static Browser browser(Configuration c, Path dataFolder) {
        return new Browser(optional(c, "chromium"), dataFolder.resolve("browser"), c.whole("browser.atOnce", 1, 64), c.whole("browser.queueMax", 1, 10_000),
                Duration.ofMillis(c.whole("browser.deadlineMillis", 500, 60_000)), c.whole("browser.pagesMax", 1, 1_000_000),
                c.whole("browser.pageBytesMax", 67_108_864L, 68_719_476_736L), c.whole("browser.bytesMax", 134_217_728L, 274_877_906_944L),
                c.whole("browser.downloadBytesMax", 1024L, 17_179_869_184L), c.whole("browser.connectionsMax", 1, 1024),
                c.yesOrNo("browser.ownNetwork"));
    }

    private static Http http(Configuration c, Path home) {
        int eventLoops = c.whole("http.eventLoops", 0, 64);
        Optional<String> certificate = optional(c, "http.tls.certificateFile");
        Optional<String> key = optional(c, "http.tls.keyFile");
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigurationError("http.tls: certificateFile and keyFile go together");
        }
        return new Http(
                required(c, "http.host"), c.whole("http.port", 0, 65535), publicUrl(c),
                eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops,
                c.whole("http.bodyBytesMax", 1024, 67_108_864), c.whole("http.bodiesBytesMax", 1024L, 68_719_476_736L),
                c.whole("http.validateInlineBytesMax", 0, 1_048_576), Duration.ofSeconds(c.whole("http.bodySeconds", 1, 600)),
                Duration.ofSeconds(c.whole("http.idleSeconds", 1, 3600)), c.whole("http.connectionsMax", 1, 1_000_000),
                Duration.ofSeconds(c.whole("http.drainSeconds", 0, 300)), c.yesOrNo("http.compression"),
                origins(c), cidrs(c, "http.trustedProxies"),
                certificate.map(file -> new Tls(home.resolve(file), home.resolve(key.get()))));
    }

    private static Optional<String> publicUrl(Configuration c) {
        return c.optional("http.publicUrl", BASE_URL_BOUND, BASE_URL);
    }

    /** Origins as browsers send them (RFC 6454, section 7); {@code *} would open the platform to every page. */
    private static List<String> origins(Configuration c) {
        return c.list("http.corsOrigins", "scheme, host in small letters and port, e.g. https://app.example.org",
                Configuration.matching("https?://[a-z0-9.-]+(:[0-9]{1,5})?"));
    }

    private static Areas areas(Configuration c) {
        Map<String, Address> addresses = new TreeMap<>();
        c.map("areas.addresses").forEach((area, value) -> addresses.put(area, address("areas.addresses." + area, value)));
        Map<Address, String> given = new HashMap<>();
        addresses.forEach((area, address) -> {
            String other = given.putIfAbsent(address, area);
            // Two areas on one port would be dealt its connections in turn, whatever the path.
            if (other != null && !address.equals(new Address.Port(0))) {
                throw ConfigurationError.outOfBounds("areas.addresses." + area, address, "another than that of " + other);
            }
        });
        for (String key : List.of("http.port", "management.port")) {
            int port = c.whole(key, 0, 65535);
            String area = given.get(new Address.Port(port));
            if (area != null && port != 0) {
                throw ConfigurationError.outOfBounds("areas.addresses." + area + ".port", port, "another than " + key);
            }
        }
        return new Areas(Map.copyOf(addresses), Set.copyOf(c.list("areas.enabled")));
    }

    private static Address address(String key, ObjectNode value) {
        Configuration.onlyKeys(key, value, "host", "port");
        if (value.size() != 1) {
            throw ConfigurationError.outOfBounds(key, value, "a host or a port, and only one of them");
        }
        if (value.has("host")) {
            String host = value.get("host").asText().toLowerCase(Locale.ROOT);
            if (!host.matches("[a-z0-9.-]{1,253}")) {
                throw ConfigurationError.outOfBounds(key + ".host", host, "a host name, without a port");
            }
            return new Address.HostName(host);
        }
        JsonNode port = value.get("port");
        if (!port.isInt() || port.intValue() < 0 || port.intValue() > 65535) {
            throw ConfigurationError.outOfBounds(key + ".port", port, "a whole number from 0 to 65535");
        }
        return new Address.Port(port.intValue());
    }

    private static Database database(Configuration c) {
        return new Database(secret(c, "database.url"), secret(c, "database.ownerUrl"), Duration.ofSeconds(c.whole("database.connectSeconds", 0, 600)),
                c.whole("database.poolConnections", 1, 100),
                c.whole("database.poolWaitersMax", 1, 1_000_000),
                Duration.ofMillis(c.whole("database.poolWaitMillis", 10, 60_000)),
                c.whole("database.embeddedPort", 0, 65535), Duration.ofSeconds(c.whole("database.clockSkewSeconds", 0, 300)));
    }

    private static Identity identity(Configuration c, Path home) {
        Map<String, Provider> providers = new HashMap<>();
        c.map("identity.providers").forEach((name, value) -> providers.put(name, provider(name, value, home)));
        return new Identity(
                optional(c, "identity.issuer"), required(c, "identity.audience"),
                Duration.ofSeconds(c.whole("identity.accessTokenSeconds", 60, 86_400)),
                Duration.ofDays(c.whole("identity.refreshTokenDays", 1, 365)),
                Duration.ofSeconds(c.whole("identity.refreshReuseSeconds", 0, 60)),
                Duration.ofDays(c.whole("identity.sessionDaysMax", 1, 365)),
                Duration.ofDays(c.whole("identity.endedDays", 1, 3650)),
                Duration.ofDays(c.whole("identity.signingKeyDays", 1, 365)),
                Duration.ofSeconds(c.whole("identity.clockSkewSeconds", 0, 300)),
                Set.copyOf(c.list("identity.superAdministrators").stream().map(email -> email.toLowerCase(Locale.ROOT)).toList()),
                Map.copyOf(providers));
    }

    private static Provider provider(String name, ObjectNode value, Path home) {
        String key = "identity.providers." + name;
        Configuration.onlyKeys(key, value, "issuer", "audiences", "jwksUrl", "jwksFile", "algorithms", "clientID", "clientSecret", "emailVerifiedAsText");
        if (!name.matches("[a-z0-9][a-z0-9-]{0,39}") || name.equals("demo")) {
            throw ConfigurationError.outOfBounds(key, name, "lower case letters, digits and dashes, at most 40, not demo");
        }
        List<String> audiences = texts(value, "audiences");
        if (value.path("issuer").asText("").isBlank() || audiences.isEmpty()) {
            throw new ConfigurationError(key + ": issuer and audiences are required");
        }
        Optional<String> url = Optional.ofNullable(value.get("jwksUrl")).map(node -> node.asText());
        Optional<Path> file = Optional.ofNullable(value.get("jwksFile")).map(node -> home.resolve(node.asText()));
        if (url.isPresent() == file.isPresent()) {
            throw new ConfigurationError(key + ": exactly one of jwksUrl and jwksFile is required");
        }
        url.filter(address -> !isTrustworthy(address)).ifPresent(address -> {
            throw ConfigurationError.outOfBounds(key + ".jwksUrl", address, "an https address, or http on this machine");
        });
        List<String> algorithms = value.has("algorithms") ? texts(value, "algorithms") : List.of("RS256", "ES256");
        algorithms.stream().filter(algorithm -> !ID_TOKEN_ALGORITHMS.contains(algorithm)).findFirst().ifPresent(unknown -> {
            throw ConfigurationError.outOfBounds(key + ".algorithms", unknown, "one of " + ID_TOKEN_ALGORITHMS);
        });
        Optional<ProviderClient> client = Optional.ofNullable(value.get("clientID")).map(id -> new ProviderClient(
                id.asText(), Optional.ofNullable(value.get("clientSecret")).map(secret -> secret.asText())));
        if (client.isEmpty() && value.has("clientSecret") || client.filter(own -> own.id().isBlank()).isPresent()) {
            throw new ConfigurationError(key + ": clientSecret needs a clientID");
        }
        if (client.isPresent() && !isTrustworthy(value.get("issuer").asText())) {
            throw ConfigurationError.outOfBounds(key + ".issuer", value.get("issuer").asText(),
                    "an https address, or http on this machine, where the sign-in of browsers (clientID) begins");
        }
        return new Provider(name, value.get("issuer").asText(), audiences, url, file, algorithms, client,
                value.path("emailVerifiedAsText").asBoolean(false));
    }

    /** Whoever can change the keys on their way can sign in as anyone. */
    private static boolean isTrustworthy(String address) {
        try {
            URI uri = new URI(address);
            return uri.getHost() != null && ("https".equals(uri.getScheme())
                    || "http".equals(uri.getScheme()) && Set.of("localhost", "127.0.0.1", "[::1]").contains(uri.getHost()));
        } catch (URISyntaxException notAnAddress) {
            return false;
        }
    }

    private static List<String> texts(ObjectNode value, String name) {
        List<String> items = new ArrayList<>();
        value.path(name).forEach(node -> items.add(node.asText()));
        return List.copyOf(items);
    }

    private static Keys keys(Configuration c, Path home, Path dataFolder) {
        String awsRegion = required(c, "keys.aws.region");
        AwsKms aws = new AwsKms(keyEndpoint(c, "keys.aws.endpoint").orElse("https://kms.%s.amazonaws.com".formatted(awsRegion)), awsRegion,
                c.text("keys.aws.keyID"), c.text("keys.aws.accessKeyId"), c.secret("keys.aws.secretAccessKey"), c.secret("keys.aws.sessionToken"));
        GcpKms gcp = new GcpKms(keyEndpoint(c, "keys.gcp.endpoint").orElse("https://cloudkms.googleapis.com"),
                keyEndpoint(c, "keys.gcp.metadataEndpoint").orElse("http://metadata.google.internal"), c.text("keys.gcp.key"),
                optional(c, "keys.gcp.credentialsFile").map(home::resolve));
        Vault vault = new Vault(keyEndpoint(c, "keys.vault.address").orElse(""), required(c, "keys.vault.mount"), c.text("keys.vault.key"),
                c.secret("keys.vault.token"), optional(c, "keys.vault.tokenFile").map(home::resolve), optional(c, "keys.vault.namespace"));
        KeyService service = switch (c.oneOf("keys.service", "local", "aws", "gcp", "vault")) {
            case "aws" -> complete(aws, Map.of("keys.aws.keyID", aws.keyId, "keys.aws.accessKeyId", aws.accessKeyId, "keys.aws.secretAccessKey", aws.secretAccessKey));
            case "gcp" -> complete(gcp, Map.of("keys.gcp.key", gcp.key));
            case "vault" -> complete(vault, Map.of("keys.vault.address", vault.address, "keys.vault.key", vault.key,
                    "keys.vault.token", vault.tokenFile.map(Path::toString).orElse(vault.token)));
            default -> new KeyService.Local();
        };
        return new Keys(optional(c, "keys.keysetFile").map(home::resolve).orElse(dataFolder.resolve("keys/keyset.json")), service,
                Duration.ofSeconds(c.whole("keys.waitSeconds", 0, 100)));
    }

    private static KeyService complete(KeyService service, Map<String, String> needed) {
        new TreeMap<>(needed).forEach((key, value) -> {
            if (value.isBlank()) {
                throw ConfigurationError.outOfBounds(key, "(empty)", "not empty, when keys.service is this one");
            }
        });
        return service;
    }

    private static Optional<String> keyEndpoint(Configuration c, String key) {
        return c.optional(key, BASE_URL_BOUND, BASE_URL);
    }

    private static Webhooks webhooks(Configuration c) {
        return new Webhooks(
                date(c, "webhooks.service.created"), required(c, "webhooks.service.author"), c.whole("webhooks.urlsMax", 1, 1000),
                c.whole("webhooks.inFlight", 64, 4096), c.whole("webhooks.inFlightPerUrl", 1, 256),
                Duration.ofSeconds(c.whole("webhooks.exchangeSeconds", 1, 60)),
                Duration.ofDays(c.whole("webhooks.historyDays", 7, 3650)));
    }

    private static Push push(Configuration c) {
        Optional<String> subject = c.optional("push.subject", "a mailto: or https: address",
                Configuration.matching("mailto:[^@\\s]+@[^@\\s]+|https://[^/?#@\\s]+(/\\S*)?"));
        return new Push(
                c.list("push.allowedEndpoints", "origins, e.g. https://fcm.googleapis.com or *.push.apple.com", Settings::pushService), subject, c.yesOrNo("push.anonymous"),
                c.whole("push.anonymousMax", 1, 1_000_000), c.whole("push.subscriptionsMax", 1, 1000), Duration.ofSeconds(c.whole("push.ttlSeconds", 60, 2_419_200)),
                c.whole("push.inFlight", 64, 4096), c.whole("push.inFlightPerService", 1, 1024),
                Duration.ofSeconds(c.whole("push.exchangeSeconds", 1, 60)), Duration.ofDays(c.whole("push.historyDays", 1, 3650)));
    }

    /** The origin of a push service; a bare host is reached over https. */
    private static Optional<String> pushService(String text) {
        String origin = text.strip().toLowerCase(Locale.ROOT);
        String whole = origin.contains("://") ? origin : "https://" + origin;
        return Optional.of(whole).filter(known -> known.matches("https?://(\\*\\.)?([a-z0-9.-]+|\\[[0-9a-f:]+])(:[0-9]{1,5})?"));
    }

    private static Outbound outbound(Configuration c) {
        return new Outbound(cidrs(c, "outbound.allowedPrivate"), c.list("outbound.nameServers",
                "an address with or without a port, e.g. 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53", text -> nameServer(text.strip())));
    }

    private static Optional<InetSocketAddress> nameServer(String text) {
        Matcher matcher = NAME_SERVER.matcher(text);
        int port = matcher.matches() && matcher.group(3) != null ? Integer.parseInt(matcher.group(3)) : DNS_PORT;
        if (!matcher.matches() || port < 1 || port > 65_535) {
            return Optional.empty();
        }
        return cidr(matcher.group(1) == null ? matcher.group(2) : matcher.group(1)).map(address -> new InetSocketAddress(address.network(), port));
    }

    private static List<Cidr> cidrs(Configuration c, String key) {
        return c.list(key, "addresses or blocks of them, e.g. 10.1.0.0/16", Settings::cidr);
    }

    private static Optional<Cidr> cidr(String text) {
        try {
            return Optional.of(Cidr.parse(text.strip()));
        } catch (IllegalArgumentException broken) {
            return Optional.empty();
        }
    }

    private static Objects objects(Configuration c, Path dataFolder) {
        List<Bucket> buckets = c.list("objects.buckets", BUCKET_BOUND, Bucket::parse).stream().distinct().toList();
        return new Objects(buckets, dataFolder.resolve("objects"),
                s3(c, "objects.s3", "https://s3.%s.amazonaws.com".formatted(required(c, "objects.s3.region")), Bucket.Scheme.S3, buckets),
                s3(c, "objects.gs", "https://storage.googleapis.com", Bucket.Scheme.GS, buckets));
    }

    private static Optional<S3> s3(Configuration c, String key, String usualEndpoint, Bucket.Scheme scheme, List<Bucket> buckets) {
        Optional<String> accessKeyId = optional(c, key + ".accessKeyId");
        Optional<String> secretAccessKey = secret(c, key + ".secretAccessKey");
        String endpoint = c.optional(key + ".endpoint", "http(s)://host or http(s)://host:port", Configuration.matching("https?://[^/?#@]+")).orElse(usualEndpoint);
        String region = required(c, key + ".region");
        if (buckets.stream().noneMatch(bucket -> bucket.scheme() == scheme)) {
            return Optional.empty();
        }
        return Optional.of(new S3(endpoint, region,
                accessKeyId.orElseThrow(() -> ConfigurationError.outOfBounds(key + ".accessKeyId", "(empty)", "needed by objects.buckets")),
                secretAccessKey.orElseThrow(() -> ConfigurationError.outOfBounds(key + ".secretAccessKey", "(empty)", "needed by objects.buckets"))));
    }

    private static Evidence evidence(Configuration c, Objects objects) {
        Optional<Bucket> named = c.optional("evidence.bucket", BUCKET_BOUND, Bucket::parse);
        Bucket bucket = named.or(() -> objects.buckets().stream().findFirst()).orElseThrow(
                () -> ConfigurationError.outOfBounds("objects.buckets", "(empty)", "evidence needs one"));
        if (!objects.buckets().contains(bucket)) {
            throw ConfigurationError.outOfBounds("evidence.bucket", bucket, "one of objects.buckets");
        }
        return new Evidence(bucket, c.whole("evidence.uploadBytesMax", 1024L, 17_179_869_184L), c.whole("evidence.transfersMax", 1, 10_000),
                c.whole("evidence.transfersPerCaller", 1, 10_000), c.whole("evidence.uploadsPerPartyMax", 1, 1_000_000));
    }

    private static Optional<String> alertsCaseUrl(Configuration c) {
        return c.optional("alerts.caseUrl", "http:// or https:// and {caseID} behind the host", Configuration.matching("https?://[^\\s{}]+\\{caseID}[^\\s{}]*"));
    }

    private static Smtp smtp(Configuration c, Path home) {
        return new Smtp(
                secret(c, "smtp.url").map(SmtpUrl::parse), sender(c),
                StartTls.valueOf(c.oneOf("smtp.startTls", "auto", "required", "never").toUpperCase(Locale.ROOT)),
                optional(c, "smtp.trustedCertificatesFile").map(home::resolve), c.whole("smtp.inFlight", 1, 100),
                Duration.ofSeconds(c.whole("smtp.exchangeSeconds", 1, 600)), dkim(c, home));
    }

    /** The sender; on a machine that has no public name yet, one that is good for trying. */
    private static Mailbox sender(Configuration c) {
        String host = publicUrl(c).map(url -> URI.create(url).getHost()).orElse("localhost");
        String from = optional(c, "smtp.from").orElse("Arbitration Case Platform <no-reply@%s>".formatted(host));
        try {
            return Mailbox.parse(from);
        } catch (IllegalArgumentException broken) {
            throw ConfigurationError.outOfBounds("smtp.from", from, broken.getMessage());
        }
    }

    private static Optional<Dkim> dkim(Configuration c, Path home) {
        Optional<String> domain = optional(c, "smtp.dkim.domain");
        Optional<String> selector = optional(c, "smtp.dkim.selector");
        Optional<String> keyFile = optional(c, "smtp.dkim.keyFile");
        long given = Stream.of(domain, selector, keyFile).filter(Optional::isPresent).count();
        if (given != 0 && given != 3) {
            throw new ConfigurationError("smtp.dkim: domain, selector and keyFile go together");
        }
        for (Optional<String> name : List.of(domain, selector)) {
            name.filter(text -> !text.matches("[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")).ifPresent(text -> {
                throw ConfigurationError.outOfBounds("smtp.dkim", text, "domain and selector are names in the DNS");
            });
        }
        return domain.map(name -> new Dkim(name, selector.get(), home.resolve(keyFile.get())));
    }

    private static Export export(Configuration c) {
        return new Export(c.whole("export.atOnceMax", 1, 100), c.whole("export.atOncePerCaller", 1, 100),
                Duration.ofSeconds(c.whole("export.stallSeconds", 1, 600)), Duration.ofMinutes(c.whole("export.minutesMax", 1, 1440)));
    }

    private static Ai ai(Configuration c) {
        int contextTokens = c.whole("ai.contextTokens", 2048, 2_000_000);
        int answerTokens = c.whole("ai.answerTokens", 256, 131_072);
        if (answerTokens > contextTokens / 2) {
            throw ConfigurationError.outOfBounds("ai.answerTokens", answerTokens, "at most half of ai.contextTokens");
        }
        StructuredOutput structured = switch (c.oneOf("ai.structuredOutput", "auto", "jsonSchema", "jsonObject", "none")) {
            case "auto" -> StructuredOutput.AUTO;
            case "jsonSchema" -> StructuredOutput.JSON_SCHEMA;
            case "jsonObject" -> StructuredOutput.JSON_OBJECT;
            default -> StructuredOutput.NONE;
        };
        Model model = new Model(c.optional("ai.baseUrl", "http:// or https:// and a host, with or without a path", Settings::completionsUrl).orElse(""),
                optional(c, "ai.model"), secret(c, "ai.apiKey"), structured,
                c.yesOrNo("ai.images"), contextTokens, answerTokens, Duration.ofSeconds(c.whole("ai.exchangeSeconds", 1, 600)),
                c.whole("ai.inFlight", 1, 256), c.whole("ai.queueMax", 0, 10_000), Duration.ofSeconds(c.whole("ai.breakSeconds", 1, 600)));
        return new Ai(Optional.of(model).filter(configured -> !configured.url.isEmpty()),
                c.whole("ai.awardsPerMinute", 1, 100_000), c.whole("ai.awardsAtOnce", 1, 100), Duration.ofSeconds(c.whole("ai.awardSeconds", 1, 290)),
                c.whole("ai.objectBytesMax", 1024L, 314_572_800L), c.whole("ai.pagesMax", 1, 100_000),
                Duration.ofSeconds(c.whole("ai.readSeconds", 1, 600)), c.whole("ai.analysesAtOnce", 1, 64),
                Duration.ofSeconds(c.whole("ai.analysisSeconds", 1, 7200)));
    }

    /** Where chat completions are asked for: below a path that is given, else below {@code /v1}, as all such servers have it. */
    private static Optional<String> completionsUrl(String text) {
        String url = text.strip().replaceAll("/+$", "");
        if (!url.matches("https?://[^/?#@\\s]+(/[^?#\\s]*)?")) {
            return Optional.empty();
        }
        if (url.endsWith("/chat/completions")) {
            return Optional.of(url);
        }
        return Optional.of(url + (url.matches("https?://[^/]+") ? "/v1/chat/completions" : "/chat/completions"));
    }

    private static Kafka kafka(Configuration c) {
        Optional<String> servers = c.optional("kafka.bootstrapServers", "host:port, comma separated", Configuration.matching(BROKERS));
        Set<String> events = Set.copyOf(new TreeSet<>(c.list("kafka.events", "of " + String.join(", ", new TreeSet<>(EVENT_KINDS)),
                kind -> Optional.of(kind).filter(EVENT_KINDS::contains))));
        String prefix = c.optional("kafka.topicPrefix", "up to 100 letters, digits, dots, dashes or underscores",
                Configuration.matching("[A-Za-z0-9._-]{0,100}")).orElse("");
        Map<String, String> properties = c.texts("kafka.properties");
        properties.keySet().stream().filter(name -> !name.matches(KAFKA_PROPERTIES)).findAny().ifPresent(name -> {
            throw new ConfigurationError("kafka.properties: %s is not taken, only security.protocol, client.dns.lookup and what begins with sasl. or ssl."
                    .formatted(name));
        });
        return new Kafka(servers, events, prefix, properties);
    }

    private static Traces traces(Configuration c) {
        return new Traces(
                c.optional("telemetry.traces.endpoint", "http or https and a host", Configuration.matching("https?://[^\\s/?#@]+(/[^\\s?#]*)?")),
                c.texts("telemetry.traces.headers"), c.whole("telemetry.traces.samplesPerMille", 1, 1000),
                c.required("telemetry.traces.serviceName"));
    }

    private static Optional<Cluster> cluster(Configuration c) {
        boolean enabled = c.yesOrNo("cluster.enabled");
        List<String> members = c.list("cluster.members");
        members.stream().filter(member -> !member.matches(MEMBER)).findAny().ifPresent(member -> {
            throw ConfigurationError.outOfBounds("cluster.members", member, "host or host:port, comma separated");
        });
        Optional<String> service = optional(c, "cluster.kubernetesService");
        if (service.isPresent() && !members.isEmpty()) {
            throw new ConfigurationError("cluster: members and kubernetesService exclude each other");
        }
        String secret = c.secret("cluster.secret");
        if (enabled && (secret.length() < CLUSTER_SECRET_LEAST || secret.length() > CLUSTER_SECRET_MOST)) {
            throw ConfigurationError.outOfBounds("cluster.secret", "(not shown, %d characters)".formatted(secret.length()),
                    "%d to %d characters, the same on every node, as openssl rand -base64 33 makes them".formatted(CLUSTER_SECRET_LEAST, CLUSTER_SECRET_MOST));
        }
        Cluster cluster = new Cluster(optional(c, "cluster.host"), optional(c, "cluster.publicHost"), c.whole("cluster.port", 1, 65535),
                c.whole("cluster.busPort", 0, 65535), members, service, secret);
        return enabled ? Optional.of(cluster) : Optional.empty();
    }

    private static Optional<String> optional(Configuration c, String key) {
        return c.optional(key);
    }

    private static Optional<String> secret(Configuration c, String key) {
        return Optional.of(c.secret(key)).filter(value -> !value.isBlank());
    }

    private static String required(Configuration c, String key) {
        return c.required(key);
    }

    private static LocalDate date(Configuration c, String key) {
        return c.optional(key, DATE_BOUND, Settings::date).orElseThrow(() -> ConfigurationError.outOfBounds(key, "", DATE_BOUND));
    }

    private static Optional<LocalDate> date(String text) {
        try {
            return Optional.of(LocalDate.parse(text));
        } catch (DateTimeParseException notADate) {
            return Optional.empty();
        }
    }
}
