package io.arbitration.emails.smtp;

import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.outbound.RefusedCertificate;
import io.arbitration.platform.telemetry.PasswordMask;
import io.vertx.ext.mail.SMTPException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * The reason why an attempt failed.
 *
 * @param code of the mail server's answer; null without an answer
 * @param permanent whether the server refused this mail, or its recipient, permanently
 * @param of what failed
 */
record SmtpFailure(Integer code, String error, boolean permanent, Subject of) {

    /** What an attempt failed of: the server took no mail, or not this one, or an attachment could not be read. */
    enum Subject { SERVER, MAIL, ATTACHMENT }

    private static final int PERMANENT_FROM = 500;
    private static final int LEAVING = 421;
    /** Enhanced status codes of the mail system itself, like a full disk (RFC 3463, section 3.4). */
    private static final Pattern OF_SYSTEM = Pattern.compile("\\b[45]\\.3\\.[0-9]");

    /**
     * A refusal of the recipient or of the message with 5xx is permanent. A refusal of the connection, the login or the sender is
     * not, whatever its code: its cause is a wrong configuration, which the operator can correct while attempts continue.
     *
     * @param password which the server may have repeated
     */
    static SmtpFailure of(Throwable failure, PasswordMask password) {
        return switch (failure) {
            case SMTPException refused -> new SmtpFailure(refused.getReplyCode(), masked(refused.getMessage(), password),
                    refused.getReplyCode() >= PERMANENT_FROM && isAboutTheMail(refused.getMessage()), subject(refused));
            case ObjectFailure unread -> new SmtpFailure(null, "what goes with the mail cannot be read: " + masked(unread.getMessage(), password), false, Subject.ATTACHMENT);
            case TimeoutException late -> new SmtpFailure(null, "the mail server did not take it in time", false, Subject.SERVER);
            default -> new SmtpFailure(null, masked(RefusedCertificate.reason(failure).orElseGet(() -> String.valueOf(failure.getMessage())), password), false, Subject.SERVER);
        };
    }

    private static Subject subject(SMTPException refused) {
        boolean ofMail = isAboutTheMail(refused.getMessage()) && refused.getReplyCode() != LEAVING && !OF_SYSTEM.matcher(refused.getMessage()).find();
        return ofMail ? Subject.MAIL : Subject.SERVER;
    }

    /** Only the words that the SMTP client puts before the answer show which command was refused. */
    private static boolean isAboutTheMail(String message) {
        return message.startsWith("recipient address not accepted") || message.startsWith("DATA command not accepted")
                || message.startsWith("sending data failed");
    }

    /** The password is hidden before the text is cut, because the rest of a password that is cut would not be found. */
    private static String masked(String text, PasswordMask password) {
        String line = password.mask(text).replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= SendAttempt.ERROR_LENGTH_MAX ? line : line.substring(0, SendAttempt.ERROR_LENGTH_MAX);
    }
}
