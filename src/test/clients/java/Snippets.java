import io.arbitration.client.*;
import io.arbitration.client.api.*;
import io.arbitration.client.model.*;
import java.nio.file.Path;

/** What the examples of the pages take for granted; ClientsIT adds each as a method, and compiles it. */
abstract class Snippets {

    interface Request {
        String getHeader(String name);
    }

    Platform platform;
    String url;
    String idToken;
    String refreshToken;
    String secret;
    String caseID;
    byte[] bytes;
    Request request;
    SubmitDocumentRequest submission;

    abstract void store(String token);

    // SNIPPETS
}
