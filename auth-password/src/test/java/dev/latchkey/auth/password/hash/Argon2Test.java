package dev.latchkey.auth.password.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.hash.Argon2.Variant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class Argon2Test {

    private static final int[] SIZES = {64, 128, 96, 256, 80};

    /** More threads and sizes than pools that are kept: blocks are lent, given back, let go and made anew all the time. */
    @Test
    void blocksThatThreadsShareByTurns_neverChangeAHash() throws Exception {
        List<String> alone = new ArrayList<>();
        for (int size : SIZES) {
            alone.add(hash(size));
        }
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<String>> together = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            int size = SIZES[i % SIZES.length];
            together.add(threads.submit(() -> hash(size)));
        }

        for (int i = 0; i < together.size(); i++) {
            assertThat(together.get(i).get(2, TimeUnit.MINUTES)).isEqualTo(alone.get(i % SIZES.length));
        }
        threads.shutdownNow();
    }

    private static String hash(int memoryKiB) {
        byte[] hash = Argon2.hash(Variant.ID, Argon2.VERSION_13, memoryKiB, 2, 1, new byte[] {'p'}, new byte[16], 32);
        return HexFormat.of().formatHex(hash);
    }
}
