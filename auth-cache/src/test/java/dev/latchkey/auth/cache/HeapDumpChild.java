package dev.latchkey.auth.cache;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.lang.management.ManagementFactory;
import java.nio.CharBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Logs in through the encoder and the plugin, and dumps the live heap while both caches hold their entry. */
final class HeapDumpChild {

    /** What the planting mode keeps. */
    private static List<Object> planted = List.of();

    private HeapDumpChild() {}

    public static void main(String[] args) throws Exception {
        CredentialCache cache = CredentialCache.create();
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(new BCryptPasswordEncoder(4), cache);
        TestTime time = new TestTime();
        CachingLoginSource plugin = CachingLoginSource.around(new FakePlugin(time), cache, Duration.ofMinutes(1));
        logIn(encoder, plugin);
        require(
                cache.stats().hits() == 2 && cache.stats().size() == 1,
                cache.stats().toString());
        if (args[0].equals("planted")) {
            StringBuilder text = password();
            char[] wide = new char[text.length()];
            text.getChars(0, wide.length, wide, 0);
            planted = List.of(text.toString(), wide, text.append('\u0100').toString());
        }
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[1], true);
        require(cache.stats().size() == 1 && planted.size() < 4, "The cache ended before the dump");
    }

    /** Built from pieces each time, so no constant of this class and no field has the password. */
    static StringBuilder password() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            text.append((char) ('k' + i)).append(i * 7).append((char) ('Z' - i));
        }
        return text;
    }

    private static void logIn(CachingPasswordEncoder encoder, CachingLoginSource plugin) {
        StringBuilder text = password();
        char[] chars = new char[text.length()];
        text.getChars(0, chars.length, chars, 0);
        CharBuffer presented = CharBuffer.wrap(chars);
        String hash = encoder.encode(presented);
        for (int i = 0; i < 3; i++) {
            require(encoder.matches(presented, hash), "refused");
        }
        try (Secret secret = Secret.of(presented)) {
            plugin.authenticate(new PasswordCredentials("ada", secret), RequestContext.none());
        }
        Arrays.fill(chars, '\0');
        text.setLength(0);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }
}
