package dev.latchkey.auth.guard.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.WaitingThreads;
import org.junit.jupiter.api.Test;

/** The README's snippet of permits, line by line. */
class HashingReadmeTest {

    /** What a password encoder does. */
    private record Encoder(String algorithm) {

        boolean matches(String password, String storedHash) {
            return (algorithm + password).equals(storedHash);
        }
    }

    @Test
    void snippetCompilesAndAnswers() throws Exception {
        GuardTime time = new ManualTime();
        Encoder encoder = new Encoder("{any}");
        String password = "right";
        String storedHash = "{any}right";

        HashingPermits permits =
                new HashingPermits(HashingSettings.defaults(), WaitingThreads.atMost(50), time, GuardListener.NONE);

        boolean matches = permits.call(0, () -> encoder.matches(password, storedHash));

        assertThat(matches).isTrue();
        assertThat(permits.stats().completed()).isEqualTo(1);
    }
}
