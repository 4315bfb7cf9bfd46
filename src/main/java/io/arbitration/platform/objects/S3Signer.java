package io.arbitration.platform.objects;

import io.arbitration.Settings;
import io.arbitration.platform.keys.AwsCredentials;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * Signs requests with AWS Signature Version 4, including the body, so that the store refuses a body that was changed in transit.
 */
final class S3Signer {

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final AwsCredentials credentials;
    private final String region;

    S3Signer(S3Settings settings) {
        this.credentials = AwsCredentials.of(settings.accessKeyId(), settings.secretAccessKey(), "");
        this.region = settings.region();
    }

    record Signed(RequestOptions options, byte[] body) {}

    /** Hashes the body, and may request the keys of a role: for a worker. */
    Signed sign(HttpMethod method, String url, Map<String, String> headers, byte[] body) {
        SdkHttpRequest.Builder request = SdkHttpRequest.builder().method(SdkHttpMethod.fromValue(method.name())).uri(URI.create(url));
        headers.forEach(request::putHeader);
        SignedRequest signed = signer.sign(sign -> sign
                .identity(credentials.current())
                .request(request.build())
                .payload(ContentStreamProvider.fromByteArrayUnsafe(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                // S3 takes paths unchanged (Signature Version 4, "URI encode"): neither normalized nor encoded again.
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true));
        RequestOptions options = new RequestOptions().setMethod(method).setAbsoluteURI(signed.request().getUri().toString());
        signed.request().forEachHeader((name, values) -> {
            // The client writes the same Host and the length itself.
            if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> options.addHeader(name, value));
            }
        });
        return new Signed(options, body);
    }

    /** Percent-encodes all but the unreserved characters of RFC 3986. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    static String encodedPath(String path) {
        return Stream.of(path.split("/")).map(S3Signer::encoded).collect(Collectors.joining("/"));
    }
}
