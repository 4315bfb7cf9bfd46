package io.arbitration.emails.smtp;

import io.arbitration.platform.objects.ObjectFailure;
import io.vertx.ext.mail.SMTPException;
import java.util.concurrent.TimeoutException;

/**
 * Why an attempt failed.
 *
 * @param code of the mail server's answer; null when there was none
 * @param permanent whether the server refused this mail, or its recipient, for good
 */
record SmtpFailure(Integer code, String error, boolean permanent) {

    private static final int PERMANENT_FROM = 500;

    /**
     * A refusal of the recipient or of the message with 5xx is permanent. A refusal of the connection, the login or the sender is not,
     * whatever its code: its cause is a wrong configuration, which the operator can correct while attempts go on.
     */
    static SmtpFailure of(Throwable failure) {
        return switch (failure) {
            case SMTPException refused -> new SmtpFailure(refused.getReplyCode(), said(refused.getMessage()),
                    refused.getReplyCode() >= PERMANENT_FROM && isAboutTheMail(refused.getMessage()));
            case ObjectFailure unread -> new SmtpFailure(null, "what goes with the mail cannot be read: " + said(unread.getMessage()), false);
            case TimeoutException late -> new SmtpFailure(null, "the mail server did not take it in time", false);
            default -> new SmtpFailure(null, said(String.valueOf(failure.getMessage())), false);
        };
    }

    /** Which command was refused can only be seen from the words that the SMTP client puts before the answer. */
    private static boolean isAboutTheMail(String message) {
        return message.startsWith("recipient address not accepted") || message.startsWith("DATA command not accepted")
                || message.startsWith("sending data failed");
    }

    private static String said(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= SendAttempt.ERROR_LENGTH_MAX ? line : line.substring(0, SendAttempt.ERROR_LENGTH_MAX);
    }
}
