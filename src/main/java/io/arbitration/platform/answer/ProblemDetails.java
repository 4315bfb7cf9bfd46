package io.arbitration.platform.answer;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An error as problem details (RFC 9457), for clients that name them in {@code Accept}. */
public final class ProblemDetails {

    public static final String CONTENT_TYPE = "application/problem+json";
    /** The prefix of problem types: the code after the slash is that of the header {@code Error-Code}. */
    private static final String TYPES = "/docs/errors#";
    /** The beginning of the sentence of a refused field: its name, or a JSON pointer without its first slash. */
    private static final Pattern FIELD = Pattern.compile("([a-z_][\\w/~.-]*): .+", Pattern.DOTALL);
    private static final Pattern WEIGHT = Pattern.compile("q\\s*=\\s*([01](?:\\.\\d{0,3})?)");

    private ProblemDetails() {}

    /**
     * Whether a client wants problem details: it names them in {@code Accept}, with at least the weight of the usual form (RFC
     * 9110, section 12.5.1). A client that names both with equal weight, as generated ones do, or that accepts anything, gets the
     * usual form.
     *
     * @param usual media type of the error otherwise
     */
    public static boolean areWanted(MultiMap headers, String usual) {
        String accept = headers.get(HttpHeaders.ACCEPT);
        return accept != null && weight(accept, CONTENT_TYPE) > Math.max(0, weight(accept, usual));
    }

    /** -1 for a type that is not named. */
    private static double weight(String accept, String mediaType) {
        return Stream.of(accept.toLowerCase(Locale.ROOT).split(","))
                .map(range -> range.split(";"))
                .filter(range -> range[0].strip().equals(mediaType))
                .mapToDouble(range -> Stream.of(range).skip(1).map(String::strip).map(WEIGHT::matcher).filter(Matcher::matches)
                        .mapToDouble(weight -> Double.parseDouble(weight.group(1))).findFirst().orElse(1))
                .max().orElse(-1);
    }

    /** The members of RFC 9457, {@code code}, {@code field} if the error is about one, and {@code requestID}. */
    public static Buffer of(Refusal refusal, String requestId) {
        JsonObject problem = new JsonObject()
                .put("type", TYPES + refusal.code())
                .put("title", HttpResponseStatus.valueOf(refusal.status()).reasonPhrase())
                .put("status", refusal.status())
                .put("detail", refusal.getMessage())
                .put("code", refusal.code());
        Matcher field = FIELD.matcher(refusal.getMessage());
        boolean ofField = (refusal.status() == 400 || refusal.status() == 422) && field.matches();
        if (ofField && !field.group(1).equals("body") && !field.group(1).equals("request")) {
            problem.put("field", field.group(1));
        }
        return problem.put("requestID", requestId).toBuffer();
    }
}
