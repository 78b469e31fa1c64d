package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.function.Executable;

/**
 * All output of a plugin: {@code toString}s, exceptions with their causes, the log and the console.
 *
 * <p>Captures logging through {@code java.util.logging}, the default of {@link System.Logger}, and logging to the console.
 */
final class Printed {

    private static final int LONG_SECRET = 8;
    private static final int SHORT_SECRET = 4;
    private static final Pattern STACK_FRAME = Pattern.compile("\\([A-Za-z0-9_$]+\\.java:[0-9]+\\)");

    /** Guarded by this object; plugins may log on their own threads. */
    private final StringBuilder text = new StringBuilder();

    synchronized void add(Object... objects) {
        for (Object object : objects) {
            text.append(object).append('\n');
            if (object instanceof Throwable thrown) {
                StringWriter trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                text.append(trace).append('\n');
            }
        }
    }

    void listenWhile(Executable calls) throws Exception {
        Logger root = Logger.getLogger("");
        Level level = root.getLevel();
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream console = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(console, true, StandardCharsets.UTF_8);
        Handler handler = new Listener();
        root.addHandler(handler);
        root.setLevel(Level.ALL);
        System.setOut(both);
        System.setErr(both);
        try {
            calls.execute();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            System.setOut(out);
            System.setErr(err);
            root.setLevel(level);
            root.removeHandler(handler);
            add(console.toString(StandardCharsets.UTF_8));
        }
    }

    /**
     * Looks for secrets of at least {@value #LONG_SECRET} characters as text and in the usual forms of printed bytes. Looks for
     * shorter secrets, such as a PIN, only as separate words. Secrets of less than {@value #SHORT_SECRET} characters are ignored.
     */
    synchronized void assertWithout(List<String> secrets, String when) {
        String printed = text.toString();
        for (String secret : secrets) {
            if (secret.length() >= LONG_SECRET) {
                assertWithoutForms(printed, secret, when);
            } else if (secret.length() >= SHORT_SECRET) {
                assertNotAlone(printed, secret, when);
            }
        }
    }

    private static void assertWithoutForms(String printed, String secret, String when) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        assertAbsent(printed, secret, "as text, " + when);
        assertAbsent(printed.toLowerCase(Locale.ROOT), HexFormat.of().formatHex(bytes), "in hexadecimal, " + when);
        assertAbsent(printed, Base64.getEncoder().withoutPadding().encodeToString(bytes), "in Base64, " + when);
        assertAbsent(printed, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), "in Base64url, " + when);
        assertAbsent(printed, Arrays.toString(bytes), "as an array of bytes, " + when);
    }

    /** Ignores the line numbers of stack traces, because a number may equal the secret by chance. */
    private static void assertNotAlone(String printed, String secret, String when) {
        String withoutLines = STACK_FRAME.matcher(printed).replaceAll("");
        Matcher alone = Pattern.compile("(?<![0-9A-Za-z])" + Pattern.quote(secret) + "(?![0-9A-Za-z])")
                .matcher(withoutLines);
        assertFalse(
                alone.find(),
                () -> "a secret was printed as text, " + when + " after: "
                        + withoutLines.substring(Math.max(0, alone.start() - 200), alone.start()));
    }

    /** The complete output. */
    @Override
    public synchronized String toString() {
        return text.toString();
    }

    private static void assertAbsent(String printed, String form, String formName) {
        int at = printed.indexOf(form);
        assertTrue(at < 0, () -> {
            int line = printed.lastIndexOf('\n', at) + 1;
            return "a secret was printed " + formName + " after: " + printed.substring(Math.max(line, at - 200), at);
        });
    }

    private final class Listener extends Handler {

        @Override
        public void publish(LogRecord logged) {
            add(logged.getMessage());
            if (logged.getParameters() != null) {
                add(logged.getParameters());
            }
            if (logged.getThrown() != null) {
                add(logged.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
