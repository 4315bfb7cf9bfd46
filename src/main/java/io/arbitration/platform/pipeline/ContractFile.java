package io.arbitration.platform.pipeline;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A contract on the class path. The source is {@code openapi/<name>.yaml}. The build writes the same document as JSON beside it, because a
 * cold JVM parses JSON in a tenth of the time. The JSON names the checksum of the YAML that it was made from, so that an edited contract
 * is read from the YAML until the next build.
 */
public final class ContractFile {

    private static final Logger LOG = LoggerFactory.getLogger(ContractFile.class);
    private static final String CHECKSUM = "checksumOfYaml";
    private static final String DOCUMENT = "document";

    private ContractFile() {}

    /**
     * Reads the contract of this name. Blocks.
     *
     * @throws IllegalStateException when there is none, or it is no YAML
     */
    public static JsonObject read(String name) {
        byte[] yaml = resource(name + ".yaml").orElseThrow(() -> new IllegalStateException("no contract openapi/%s.yaml".formatted(name)));
        return fromBuild(name, yaml).orElseGet(() -> {
            LOG.info("contract {}: the build made no JSON of this text, so the YAML is read, which takes longer", name);
            try {
                return parsed(yaml);
            } catch (IOException broken) {
                throw new IllegalStateException("contract openapi/%s.yaml: %s".formatted(name, broken.getMessage()), broken);
            }
        });
    }

    /** What the build made of this YAML; empty when it made nothing, or made it of another text. */
    static Optional<JsonObject> fromBuild(String name, byte[] yaml) {
        return resource(name + ".json").map(json -> {
            try {
                return new JsonObject(Buffer.buffer(json));
            } catch (DecodeException broken) {
                throw new IllegalStateException("contract openapi/%s.json, which the build made: %s".formatted(name, broken.getMessage()), broken);
            }
        }).filter(made -> Long.valueOf(checksum(yaml)).equals(made.getLong(CHECKSUM))).map(made -> made.getJsonObject(DOCUMENT));
    }

    /**
     * What the build writes beside a contract.
     *
     * @throws IOException when the YAML is broken
     */
    public static String json(byte[] yaml) throws IOException {
        return new JsonObject().put(CHECKSUM, checksum(yaml)).put(DOCUMENT, parsed(yaml)).encode();
    }

    /** A name that stands twice in one object is an error. */
    private static JsonObject parsed(byte[] yaml) throws IOException {
        @SuppressWarnings("unchecked")
        Map<String, Object> root = YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build().readValue(yaml, Map.class);
        return new JsonObject(root);
    }

    /** Differs if the text was edited. The JVM computes CRC-32C of a megabyte in less than a millisecond also when it has just started. */
    private static long checksum(byte[] yaml) {
        CRC32C sum = new CRC32C();
        sum.update(yaml);
        return sum.getValue();
    }

    private static Optional<byte[]> resource(String name) {
        try (InputStream in = ContractFile.class.getClassLoader().getResourceAsStream("openapi/" + name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
