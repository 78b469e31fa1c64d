package dev.latchkey.auth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.contract.Race;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevocationCopyTest {

    private static final Instant END = Instant.parse("2026-11-21T12:00:00Z");

    private final RevocationCopy copy = new RevocationCopy();

    @Test
    void million_isKept_inLessThanAHundredBytesEach() {
        int million = 1_000_000;
        for (int i = 0; i < million; i++) {
            copy.add(token(i));
            if (i % 100_000 == 99_999) {
                assertThat(copy.bytes() / (i + 1)).isLessThan(100);
            }
        }
        assertThat(copy.size()).isEqualTo(million);
        for (int i = 0; i < million; i += 997) {
            assertThat(copy.contains(token(i).id())).isTrue();
            assertThat(copy.contains(token(million + i).id())).isFalse();
        }
    }

    /** A node writes its copy back to an emptied store, and reads the entries again in this order. */
    @Test
    @Timeout(30)
    void entriesInTheOrderOfAnotherCopy_takeNoLonger() {
        int many = 800_000;
        for (int i = 0; i < many; i++) {
            copy.add(token(i));
        }
        RevocationCopy again = new RevocationCopy();
        copy.forEach(again::add);
        assertThat(again.size()).isEqualTo(many);
    }

    /** The formula of docs/how-to/scale.md. */
    @ParameterizedTest
    @CsvSource({"48, 2048", "49, 4096", "1000000, 67108864", "1500000, 67108864", "1600000, 134217728"})
    void memory_isThirtyTwoBytesOfEachSlot_andThreeQuartersOfTheSlotsAreTaken(int many, long bytes) {
        for (int i = 0; i < many; i++) {
            copy.add(token(i));
        }
        assertThat(copy.bytes()).isEqualTo(bytes);
    }

    @Test
    void idsThatDifferInOneHalf_areTwo_andZeroIsAnId() {
        copy.add(new Revocation(new IdDigest(7, 1), Instant.MIN, END));
        copy.add(new Revocation(new IdDigest(0, 0), Instant.MIN, END));
        assertThat(copy.contains(new IdDigest(7, 1))).isTrue();
        assertThat(copy.contains(new IdDigest(7, 2))).isFalse();
        assertThat(copy.contains(new IdDigest(8, 1))).isFalse();
        assertThat(copy.contains(new IdDigest(0, 0))).isTrue();
        assertThat(copy.contains(new IdDigest(0, 1))).isFalse();
        assertThat(copy.size()).isEqualTo(2);
    }

    @Test
    void boundAndEnd_areTheLaterOnes() {
        IdDigest ada = IdDigest.ofSubject("ada");
        copy.add(new Revocation(ada, END, END));
        copy.add(new Revocation(ada, END.minusSeconds(1), END.plusSeconds(1)));
        copy.add(new Revocation(ada, END.minusSeconds(2), END));
        assertThat(copy.notBefore(ada)).isEqualTo(END);
        assertThat(copy.covers(new Revocation(ada, END, END.plusSeconds(1)))).isTrue();
        assertThat(copy.covers(new Revocation(ada, END, END.plusSeconds(2)))).isFalse();
        assertThat(copy.covers(new Revocation(ada, END.plusSeconds(1), END))).isFalse();
        assertThat(copy.covers(new Revocation(IdDigest.ofSubject("eve"), END, END)))
                .isFalse();
        assertThat(copy.size()).isEqualTo(1);
    }

    @Test
    void sweep_dropsWhatEndedBefore_andGivesItsRoomBack() {
        for (int i = 0; i < 10_000; i++) {
            copy.add(token(i));
        }
        copy.add(new Revocation(new IdDigest(1, 1), Instant.MIN, END.plusSeconds(1)));
        copy.sweep(END);
        assertThat(copy.size()).isEqualTo(10_001);
        copy.sweep(END.plusSeconds(1));
        assertThat(copy.size()).isEqualTo(1);
        assertThat(copy.bytes()).isLessThan(10_000);
        assertThat(copy.contains(new IdDigest(1, 1))).isTrue();
    }

    @Test
    void readers_findWhatWasAdded_whileOthersAddAndSweep() throws Exception {
        AtomicInteger added = new AtomicInteger();
        try (Race race = new Race()) {
            race.run(List.of(
                    () -> {
                        for (int i = 0; i < 100_000; i++) {
                            copy.add(token(i));
                            added.set(i + 1);
                        }
                    },
                    () -> {
                        while (added.get() < 100_000) {
                            copy.sweep(END.minusSeconds(1));
                        }
                    },
                    () -> {
                        while (added.get() < 100_000) {
                            int last = added.get() - 1;
                            if (last >= 0 && !copy.contains(token(last).id())) {
                                throw new AssertionError(last + " is not found");
                            }
                        }
                    }));
        }
        assertThat(copy.size()).isEqualTo(100_000);
    }

    @Test
    void digest_dependsOnKindAndId_andIsReadFromItsBytes() {
        IdDigest token = IdDigest.ofToken("a");
        assertThat(token).isNotEqualTo(IdDigest.ofSubject("a")).isNotEqualTo(IdDigest.ofToken("b"));
        assertThat(IdDigest.of(token.bytes())).isEqualTo(token);
        assertThatIllegalArgumentException().isThrownBy(() -> IdDigest.ofToken("\uD800"));
    }

    @Test
    void revocation_lastsUntilTheNextWholeSecond_andNoLongerWhereThatIsOne() {
        assertThat(Revocation.ofToken("t", END).until()).isEqualTo(END);
        assertThat(Revocation.ofToken("t", END.plusNanos(1)).until()).isEqualTo(END.plusSeconds(1));
        Revocation subject = Revocation.ofSubject("s", END, Duration.ofHours(1));
        assertThat(subject.notBefore()).isEqualTo(END.plusSeconds(1));
        assertThat(subject.until()).isAfterOrEqualTo(END.plusSeconds(3601));
    }

    private static Revocation token(int i) {
        // As a digest is: without a pattern.
        return new Revocation(new IdDigest(i * 0x9e3779b97f4a7c15L + 1, i * 0xc2b2ae3d27d4eb4fL), Instant.MIN, END);
    }
}
