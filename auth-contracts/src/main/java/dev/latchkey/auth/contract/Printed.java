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
import org.junit.jupiter.api.function.Executable;

/**
 * All text that a plugin lets out: {@code toString}s, exceptions with their causes, what it logs and what it prints.
 *
 * <p>Logging is heard where it goes through {@code java.util.logging}, as {@link System.Logger} does by default, or ends on
 * the console.
 */
final class Printed {

    private static final int MIN_SECRET_LENGTH = 8;

    /** Guarded by this; plugins may log on threads of their own. */
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

    static Object thrownBy(Executable call) {
        try {
            call.execute();
            return "nothing thrown";
        } catch (Throwable thrown) {
            return thrown;
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

    /** As written, and in the forms in which bytes are usually printed. */
    synchronized void assertWithout(List<String> secrets, String when) {
        assertFalse(secrets.isEmpty(), "secretTexts() is empty, so nothing could be found");
        String printed = text.toString();
        for (String secret : secrets) {
            assertTrue(secret.length() >= MIN_SECRET_LENGTH, "a secret text needs at least 8 characters to be found");
            byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
            assertAbsent(printed, secret, "as text, " + when);
            assertAbsent(printed.toLowerCase(Locale.ROOT), HexFormat.of().formatHex(bytes), "in hexadecimal, " + when);
            assertAbsent(printed, Base64.getEncoder().withoutPadding().encodeToString(bytes), "in Base64, " + when);
            assertAbsent(
                    printed, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes), "in Base64url, " + when);
            assertAbsent(printed, Arrays.toString(bytes), "as an array of bytes, " + when);
        }
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
