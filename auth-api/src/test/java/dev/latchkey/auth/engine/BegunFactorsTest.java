package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BegunFactorsTest {

    private final BegunFactors begun = new BegunFactors();
    private final List<String> told = new ArrayList<>();

    private void begin(String account, String what) {
        begun.begun(account, () -> told.add(what));
    }

    @Test
    void confirmation_tellsTheLastThatWasBegun_once() {
        begin("ada", "first");
        begin("ada", "second");
        begun.confirmed("ada");
        begun.confirmed("ada");
        begun.confirmed("bob");
        assertThat(told).containsExactly("second");
    }

    @Test
    void thousandAreKept_andTheOldestGoesFirst() {
        for (int i = 0; i < 1_000; i++) {
            begin("user" + i, "user" + i);
        }
        // Again, so user0 is the newest, and user1 the oldest.
        begin("user0", "user0 again");
        begin("user1000", "user1000");
        for (String account : List.of("user1", "user0", "user0", "user2", "user1000", "nobody")) {
            begun.confirmed(account);
        }
        assertThat(told).containsExactly("user0 again", "user2", "user1000");
    }
}
