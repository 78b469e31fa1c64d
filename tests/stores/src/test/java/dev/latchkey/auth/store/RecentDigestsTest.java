package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.contract.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecentDigestsTest {

    private final AtomicInteger computed = new AtomicInteger();
    private final RecentDigests digests = new RecentDigests(id -> {
        computed.incrementAndGet();
        return IdDigest.ofToken(id);
    });

    @Test
    void idThatIsAskedForAgain_isComputedOnce() {
        IdDigest first = digests.of("t");
        assertThat(digests.of(new String("t"))).isEqualTo(first).isEqualTo(IdDigest.ofToken("t"));
        assertThat(computed).hasValue(1);
    }

    @Test
    void idsOfOnePlace_haveTheirOwnDigests() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        for (String id : List.of("Aa", "BB", "Aa")) {
            assertThat(digests.of(id)).isEqualTo(IdDigest.ofToken(id));
        }
        assertThat(computed).hasValue(3);
    }

    @Test
    void longIds_areNotKept_andThoseAtTheBoundAre() {
        String longest = "x".repeat(RecentDigests.LONGEST);
        for (int i = 0; i < 2; i++) {
            assertThat(digests.of(longest)).isEqualTo(IdDigest.ofToken(longest));
            assertThat(digests.of(longest + "x")).isEqualTo(IdDigest.ofToken(longest + "x"));
        }
        assertThat(computed).hasValue(3);
    }

    @Test
    void moreIdsThanPlaces_onManyThreads_haveTheirOwnDigests() throws Exception {
        try (Race race = new Race()) {
            List<Race.Runner> runners = new ArrayList<>();
            for (int thread = 0; thread < Race.MOST_THREADS; thread++) {
                runners.add(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        assertThat(digests.of("t" + i)).isEqualTo(IdDigest.ofToken("t" + i));
                    }
                });
            }
            race.run(runners);
        }
    }
}
