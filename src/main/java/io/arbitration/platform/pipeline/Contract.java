package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.body.BodySchema;
import io.arbitration.platform.body.BodySize;
import io.arbitration.platform.files.FormFile;
import io.arbitration.platform.files.FormSchema;
import io.arbitration.platform.idempotency.Idempotency;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.openapi.router.OpenAPIRoute;
import io.vertx.ext.web.openapi.router.RouterBuilder;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.SchemaRepository;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.OpenAPIVersion;
import io.vertx.openapi.contract.impl.OpenAPIContractImpl;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The OpenAPI contract of an area: its operations, who may call them, and the schemas of their bodies. Handlers are bound by
 * operationId; {@link #router} fails when an operation has no handler, {@link #bind} when a handler has no operation.
 */
public final class Contract {

    /** A path also has other members: a summary, parameters of all its operations. */
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");
    private static final String REFERENCE = "$ref";

    private final String area;
    private final JsonObject document;
    private final Map<String, Bound> handlers = new HashMap<>();
    private final Map<String, Long> fileBytesMaxByOperation = new HashMap<>();
    private final Map<String, Integer> bodyBytesMaxByOperation = new HashMap<>();

    private Contract(String area, JsonObject document) {
        this.area = area;
        this.document = document;
    }

    /** Reads {@code openapi/<name>.yaml} from the class path. */
    public static Contract read(String name) {
        return new Contract(name, ContractFile.read(name));
    }

    /** Whether errors below this contract are text/plain, and not JSON. */
    boolean plainTextErrors() {
        return "text/plain".equals(document.getString("x-error-media-type"));
    }

    /** The same contract below a prefix, which every path must have: {@code /demo/x} becomes {@code /x}. */
    public Contract withoutPrefix(String prefix) {
        JsonObject shortened = new JsonObject();
        document.getJsonObject("paths").forEach(path -> {
            if (!path.getKey().startsWith(prefix + "/")) {
                throw new IllegalStateException("contract %s: %s is not below %s".formatted(area, path.getKey(), prefix));
            }
            shortened.put(path.getKey().substring(prefix.length()), path.getValue());
        });
        return new Contract(area, document.copy().put("paths", shortened));
    }

    /** Binds an operation to its handler. */
    public Contract bind(String operationId, OperationHandler handler) {
        return bind(operationId, new Bound.ToReply(handler));
    }

    /**
     * Binds an operation whose JSON body may be larger than others.
     *
     * @param bodyBytesMax more is refused with 413; the setting for all operations counts where it is larger
     */
    public Contract bindLarge(String operationId, int bodyBytesMax, OperationHandler handler) {
        bodyBytesMaxByOperation.put(operationId, bodyBytesMax);
        return bind(operationId, handler);
    }

    /** Binds an operation that answers with a file. */
    public Contract bindDownload(String operationId, DownloadHandler handler) {
        return bind(operationId, new Bound.ToDownload(handler));
    }

    /** Binds an operation that answers with events for as long as its client stays. */
    public Contract bindEvents(String operationId, EventStreamHandler handler) {
        return bind(operationId, new Bound.ToEvents(handler));
    }

    /** Binds an operation that answers with a stream. */
    public Contract bindStream(String operationId, StreamHandler handler) {
        return bind(operationId, new Bound.ToStream(handler));
    }

    /**
     * Binds an operation that takes a form with a file.
     *
     * @param fileBytesMax more is refused with 413
     */
    public <F extends FormFile> Contract bindUpload(String operationId, long fileBytesMax, UploadHandler<F> handler) {
        fileBytesMaxByOperation.put(operationId, fileBytesMax);
        return bind(operationId, new Bound.ToUpload<>(handler));
    }

    private Contract bind(String operationId, Bound bound) {
        if (handlers.put(operationId, bound) != null) {
            throw new IllegalStateException("contract %s: operation %s is bound twice".formatted(area, operationId));
        }
        return this;
    }

    /** The router of the area; its paths are those of the contract, wherever the public server mounts it. */
    public Future<Router> router(Vertx vertx, OperationPipeline pipeline) {
        return Future.future(promise -> promise.complete(boundTo(vertx, pipeline)));
    }

    private Router boundTo(Vertx vertx, OperationPipeline pipeline) {
        RouterBuilder builder = RouterBuilder.create(vertx, forLibrary());
        TreeSet<String> unbound = new TreeSet<>();
        TreeSet<String> unknown = new TreeSet<>(handlers.keySet());
        for (OpenAPIRoute route : builder.getRoutes()) {
            String operationId = route.getOperation().getOperationId();
            unknown.remove(operationId);
            Bound handler = handlers.get(operationId);
            if (handler == null) {
                unbound.add(operationId);
            } else {
                route.setDoValidation(false).setDoSecurity(false);
                Retirement.of(raw(route)).ifPresent(route::addHandler);
                pipeline.steps(vertx, operation(route), handler).forEach(route::addHandler);
            }
        }
        if (!unbound.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalStateException("contract %s: operations without a handler %s, handlers without an operation %s"
                    .formatted(area, unbound, unknown));
        }
        Router router = builder.createRouter();
        builder.getRoutes().stream().filter(route -> answersHead(raw(route))).forEach(route -> {
            Route head = router.route(HttpMethod.HEAD, path(route.getOperation().getOpenAPIPath()));
            pipeline.steps(vertx, operation(route), handlers.get(route.getOperation().getOperationId())).forEach(head::handler);
        });
        refuseOtherMethods(router);
        return router;
    }

    /**
     * The contract for the router library. {@code OpenAPIContract.from} would first read the schemas of OpenAPI and check the contract with
     * them. That is a tenth of the processor time of a start, and the result is known: {@code ContractsForRoutingTest} does it for each
     * contract. The library checks no requests here, so it needs no schemas.
     */
    OpenAPIContract forLibrary() {
        JsonObject described = forRouting();
        return new OpenAPIContractImpl(described, OpenAPIVersion.fromContract(described), SchemaRepository.create(new JsonSchemaOptions().setBaseUri("app://")));
    }

    /** A path of the contract with another method gets 405; inside nested routers Vert.x would answer 404. */
    private void refuseOtherMethods(Router router) {
        document.getJsonObject("paths").forEach(path -> {
            JsonObject methods = (JsonObject) path.getValue();
            String allowed = methods.fieldNames().stream().filter(METHODS::contains)
                    .flatMap(method -> Stream.concat(Stream.of(method.toUpperCase(Locale.ROOT)), answersHead(methods.getJsonObject(method)) ? Stream.of("HEAD") : Stream.empty()))
                    .collect(Collectors.joining(", "));
            router.route(path(path.getKey())).handler(context -> {
                context.response().putHeader(HttpHeaders.ALLOW, allowed);
                throw HttpError.METHOD.refusal();
            });
        });
    }

    /** A path of the contract in the notation of Vert.x. */
    private static String path(String openApi) {
        return openApi.replaceAll("\\{([^}]+)}", ":$1");
    }

    /** Whether a HEAD request is accepted for a GET: the same steps answer, and the server sends only the head. */
    private static boolean answersHead(JsonObject operation) {
        return operation.getBoolean("x-head", false);
    }

    private JsonObject raw(OpenAPIRoute route) {
        return document.getJsonObject("paths")
                .getJsonObject(route.getOperation().getOpenAPIPath())
                .getJsonObject(route.getOperation().getHttpMethod().name().toLowerCase(Locale.ROOT));
    }

    private Operation operation(OpenAPIRoute route) {
        JsonObject raw = raw(route);
        JsonObject body = raw.getJsonObject("requestBody", new JsonObject());
        JsonObject content = body.getJsonObject("content", new JsonObject());
        boolean urlEncoded = content.containsKey(OperationPipeline.URL_ENCODED);
        Optional<JsonObject> described = Optional.ofNullable(content.getJsonObject(urlEncoded ? OperationPipeline.URL_ENCODED : Reply.JSON))
                .map(json -> (JsonObject) inlined(json.getJsonObject("schema")));
        Optional<BodySchema> schema = described.map(BodySchema::new);
        Optional<FormSchema> form = Optional.ofNullable(fileBytesMaxByOperation.get(raw.getString("operationId")))
                .map(most -> FormSchema.of((JsonObject) inlined(content.getJsonObject("multipart/form-data").getJsonObject("schema")), most));
        JsonArray security = raw.getJsonArray("security", document.getJsonArray("security"));
        if (security == null) {
            throw new IllegalStateException("contract %s: operation %s does not say who may call it; security: [] is for everyone"
                    .formatted(area, raw.getString("operationId")));
        }
        boolean bearer = !security.isEmpty();
        List<String> permissions = bearer
                ? security.getJsonObject(0).getJsonArray("bearer").stream().map(String.class::cast).toList()
                : List.of();
        boolean idempotent = raw.getJsonArray("parameters", new JsonArray()).stream()
                .map(parameter -> (JsonObject) inlined(parameter))
                .anyMatch(parameter -> "Idempotency-Key".equals(parameter.getString("name")));
        return new Operation(area, raw.getString("operationId"), bearer, permissions, schema, form,
                bodyBytesMaxByOperation.getOrDefault(raw.getString("operationId"), 0),
                described.map(BodySize::most).orElse(0L), body.getBoolean("required", false), idempotent,
                urlEncoded, "oauth".equals(raw.getString("x-error-format")), raw.getBoolean("x-ends-with-session", false), errors(raw));
    }

    /** The codes that the header {@code Error-Code} of an operation's answers can have. */
    private Set<String> errors(JsonObject operation) {
        Set<String> codes = new HashSet<>();
        operation.getJsonObject("responses").forEach(response -> {
            JsonObject header = target(target(response.getValue()).getJsonObject("headers", new JsonObject()).getValue("Error-Code"));
            if (header != null) {
                target(header.getValue("schema")).getJsonArray("x-extensible-enum", new JsonArray()).forEach(code -> codes.add((String) code));
            }
        });
        return codes;
    }

    /** A node, or the node to which it refers; the members of this node may be references. */
    private JsonObject target(Object node) {
        return node instanceof JsonObject object && object.containsKey(REFERENCE) ? target(referenced(object.getString(REFERENCE))) : (JsonObject) node;
    }

    /**
     * The part of the contract that the router library needs: paths and operation IDs. The copy omits responses, bodies and
     * security, because the library accepts neither image nor PDF responses (vertx-openapi issue 107) and none of it is used
     * here.
     */
    JsonObject forRouting() {
        JsonObject paths = new JsonObject();
        document.getJsonObject("paths").forEach(path -> {
            JsonObject operations = new JsonObject();
            ((JsonObject) path.getValue()).stream().filter(member -> METHODS.contains(member.getKey())).forEach(method -> {
                JsonObject operation = (JsonObject) method.getValue();
                JsonArray pathParameters = new JsonArray(operation.getJsonArray("parameters", new JsonArray()).stream()
                        .map(this::inlined)
                        .filter(parameter -> "path".equals(((JsonObject) parameter).getString("in")))
                        .toList());
                operations.put(method.getKey(), new JsonObject()
                        .put("operationId", operation.getString("operationId"))
                        .put("parameters", pathParameters)
                        .put("responses", new JsonObject().put("200", new JsonObject().put("description", "as the contract says"))));
            });
            paths.put(path.getKey(), operations);
        });
        return new JsonObject()
                .put("openapi", document.getString("openapi"))
                .put("info", document.getJsonObject("info").copy())
                .put("paths", paths);
    }

    /** A copy in which every local reference is replaced by its target; contracts have no recursive schema. */
    private Object inlined(Object node) {
        return switch (node) {
            case JsonObject object when object.containsKey(REFERENCE) -> inlined(referenced(object.getString(REFERENCE)));
            case JsonObject object -> {
                JsonObject copy = new JsonObject();
                object.forEach(member -> copy.put(member.getKey(), inlined(member.getValue())));
                yield copy;
            }
            case JsonArray array -> {
                JsonArray copy = new JsonArray();
                array.forEach(item -> copy.add(inlined(item)));
                yield copy;
            }
            case null, default -> node;
        };
    }

    private Object referenced(String reference) {
        JsonObject at = document;
        for (String step : reference.substring("#/".length()).split("/")) {
            at = at.getJsonObject(step);
            if (at == null) {
                throw new IllegalStateException("contract %s: nothing at %s".formatted(area, reference));
            }
        }
        return at;
    }
}
