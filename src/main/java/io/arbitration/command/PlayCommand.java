package io.arbitration.command;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays the case of the demo against a platform that runs elsewhere in the demo profile, like any client: only over HTTP. */
@Command(name = "play", description = "Play the demo's case against a platform in the demo profile.", mixinStandardHelpOptions = true)
final class PlayCommand implements Callable<Integer> {

    private static final int OK = 200;
    /** One of the mail types that have an image. */
    private static final String MAIL_TYPE = "trademarkNotice";

    @Parameters(paramLabel = "URL", description = "Address of the platform, without a slash at the end.")
    private String url;

    @Option(names = "--mail-server", description = "The platform has a mail server, so its emails are not held.")
    private boolean mailServer;

    @Option(names = "--page", description = "Play nothing: have the platform capture a page of its own.")
    private boolean page;

    @Option(names = "--verify", paramLabel = "CASE", description = "Play nothing: verify the docket of a case that was played before.")
    private String caseId;

    @Override
    public Integer call() {
        try (DemoClient client = new DemoClient(area -> url + "/" + area, System.out::println)) {
            if (caseId != null) {
                return verify(client);
            }
            if (page) {
                client.drain("api", "/service-of-notice/attachments/create", new JsonObject().put("mailType", MAIL_TYPE).put("url", url + "/docs"), signIn(client));
                System.out.println("a page was captured");
                return 0;
            }
            System.out.printf("%ncase %s%n", new DemoCase(client, !mailServer).play().caseId());
            return 0;
        }
    }

    private static String signIn(DemoClient client) {
        JsonObject clara = new JsonObject(Map.of("email", "clara.claimant@demo.example", "first_name", "Clara", "last_name", "Claimant"));
        Object idToken = ((JsonObject) client.post("auth", "/demo/id-token", clara, null, OK)).getValue("idToken");
        return ((JsonObject) client.post("auth", "/authenticate/demo", new JsonObject().put("idToken", idToken), null, OK)).getString("accessToken");
    }

    private int verify(DemoClient client) {
        JsonObject verified = (JsonObject) client.post("api", "/docket/verify", new JsonObject().put("caseID", caseId), signIn(client), OK);
        boolean whole = verified.getBoolean("valid") && verified.getInteger("entries") > 0;
        System.out.printf("%ncase %s: the docket of %d entries is %s%n", caseId, verified.getInteger("entries"), whole ? "valid" : "not valid");
        return whole ? 0 : 1;
    }
}
