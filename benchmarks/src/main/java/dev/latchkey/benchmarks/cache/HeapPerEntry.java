package dev.latchkey.benchmarks.cache;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * What an entry takes on the heap: the live heap with a million entries less the live heap without, each after full
 * collections.
 *
 * <p>Run with {@code java -Xmx2g -cp ... dev.latchkey.benchmarks.cache.HeapPerEntry}; prints JSON. The encoder accepts
 * everything, since what is measured is the cache; the stored hashes are garbage once they were presented.
 */
public final class HeapPerEntry {

    private static final int ENTRIES = 1_000_000;

    private HeapPerEntry() {}

    public static void main(String[] args) {
        CredentialCacheSettings settings = CredentialCacheSettings.defaults()
                .withMaximumSize(ENTRIES)
                .withIdleExpiry(Duration.ofHours(1))
                .withFastLoad(Duration.ZERO);
        warm(settings);
        CredentialCache cache = CredentialCache.with(settings);
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(new Accepting(), cache);
        long before = liveBytes();
        fill(encoder);
        long after = liveBytes();
        long size = cache.stats().size();
        System.out.printf(
                "{\"java\": \"%s\", \"entries\": %d, \"liveBytesWithout\": %d, \"liveBytesWith\": %d,"
                        + " \"bytesPerEntry\": %.1f, \"compressedOops\": \"%s\"}%n",
                Runtime.version(), size, before, after, (double) (after - before) / size, option("UseCompressedOops"));
        if (encoder.cache().stats().size() != size) {
            throw new IllegalStateException("The cache changed while it was measured");
        }
    }

    /** Loads every class and fills every lazy structure before the first measurement. */
    private static void warm(CredentialCacheSettings settings) {
        try (CredentialCache cache = CredentialCache.with(settings)) {
            fill(CachingPasswordEncoder.around(new Accepting(), cache));
        }
    }

    private static void fill(CachingPasswordEncoder encoder) {
        for (int i = 0; i < ENTRIES; i++) {
            encoder.matches("password" + i, "$2a$10$" + "x".repeat(45) + i);
        }
    }

    private static long liveBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    private static String option(String name) {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption(name)
                .getValue();
    }

    private static final class Accepting implements PasswordEncoder {

        @Override
        public String encode(CharSequence plain) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean matches(CharSequence presented, String storedHash) {
            return true;
        }
    }
}
