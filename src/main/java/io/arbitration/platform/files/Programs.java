package io.arbitration.platform.files;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Distinguishes programs from other files: by their first bytes, and by the name endings that systems execute. */
public final class Programs {

    /** Bytes from the start of a file that {@link #kind} needs at most. */
    public static final int HEAD_BYTES = 65_536;
    private static final int PE_OFFSET_AT = 0x3c;
    /** Endings of files that systems execute, although their bytes look like text or an archive. */
    private static final Set<String> ENDINGS = Set.of("exe", "com", "dll", "scr", "pif", "bat", "cmd", "ps1", "vbs", "vbe", "js",
            "jse", "wsf", "wsh", "hta", "msi", "msp", "cpl", "lnk", "reg", "jar", "apk", "app", "sh", "bash", "csh", "command", "desktop");

    private Programs() {}

    /** The executable ending of a name, without the dot; empty for every other name. */
    public static Optional<String> ending(String fileName) {
        int dot = fileName.lastIndexOf('.');
        return Optional.of(dot < 0 ? "" : fileName.substring(dot + 1).toLowerCase(Locale.ROOT)).filter(ENDINGS::contains);
    }

    /** The kind of program with these first bytes; empty for anything else. */
    public static Optional<String> kind(byte[] head) {
        if (starts(head, 0, 0x7f, 'E', 'L', 'F')) {
            return Optional.of("ELF");
        }
        if (starts(head, 0, 'M', 'Z') && isPortableExecutable(head)) {
            return Optional.of("Windows or DOS");
        }
        if (starts(head, 0, 0xca, 0xfe, 0xba, 0xbe)) {
            return Optional.of("Java class or Mach-O");
        }
        if (starts(head, 0, 0xfe, 0xed, 0xfa, 0xce) || starts(head, 0, 0xfe, 0xed, 0xfa, 0xcf)
                || starts(head, 0, 0xce, 0xfa, 0xed, 0xfe) || starts(head, 0, 0xcf, 0xfa, 0xed, 0xfe)) {
            return Optional.of("Mach-O");
        }
        if (starts(head, 0, 0, 'a', 's', 'm')) {
            return Optional.of("WebAssembly");
        }
        if (starts(head, 0, 'd', 'e', 'x', '\n')) {
            return Optional.of("Android");
        }
        int text = starts(head, 0, 0xef, 0xbb, 0xbf) ? 3 : 0;
        return starts(head, text, '#', '!') && slashFollows(head, text + 2) ? Optional.of("script") : Optional.empty();
    }

    /** A text may begin with MZ as well. It is a program if it has the header to which MZ refers, or if zero bytes follow. */
    private static boolean isPortableExecutable(byte[] head) {
        if (head.length >= PE_OFFSET_AT + 4) {
            int offset = (head[PE_OFFSET_AT] & 0xff) | (head[PE_OFFSET_AT + 1] & 0xff) << 8
                    | (head[PE_OFFSET_AT + 2] & 0xff) << 16 | (head[PE_OFFSET_AT + 3] & 0xff) << 24;
            if (offset > 0 && offset < head.length && starts(head, offset, 'P', 'E', 0, 0)) {
                return true;
            }
        }
        for (int i = 2; i < Math.min(head.length, 512); i++) {
            if (head[i] == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean slashFollows(byte[] head, int from) {
        int at = from;
        while (at < head.length && (head[at] == ' ' || head[at] == '\t')) {
            at++;
        }
        return at < head.length && head[at] == '/';
    }

    private static boolean starts(byte[] bytes, int at, int... wanted) {
        if (bytes.length < at + wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if ((bytes[at + i] & 0xff) != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
