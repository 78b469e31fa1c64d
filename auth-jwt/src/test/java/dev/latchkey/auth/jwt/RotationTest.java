package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rings and their replacement. */
@Tag("long")
class RotationTest {

    private static final JwtClaims CLAIMS = JwtClaims.forSubject("a", Duration.ofHours(1));

    private static HmacKey key() {
        return HmacKey.generate(HmacAlgorithm.HS256);
    }

    private static String sign(HmacKey key) {
        return JwtSigner.with(key).withTimeSource(Forge.CLOCK).sign(CLAIMS);
    }

    private static String verify(KeyRing ring, String token) {
        return outcome(JwtVerifier.with(ring).withTimeSource(Forge.CLOCK).verify(token));
    }

    @Test
    void keyInSeveralEntries_isOneDistinctKey_withItsLatestEnd() {
        HmacKey signing = HmacKey.of(Forge.KEY_BYTES);
        HmacKey other = HmacKey.generate(HmacAlgorithm.HS256);
        KeyRing ring = KeyRing.of(signing)
                .alsoVerifying(other, NOW)
                .alsoVerifying(HmacKey.of(Forge.KEY_BYTES), Instant.MAX)
                .alsoVerifying(other, NOW.plusSeconds(60))
                .alsoVerifying(other, NOW);
        assertThat(ring.size()).isEqualTo(5);
        assertThat(ring.distinctKeys())
                .containsExactly(
                        new KeyRing.Entry(signing, Instant.MAX), new KeyRing.Entry(other, NOW.plusSeconds(60)));
    }

    @Test
    void singleKey_ignoresTheTokensKid() {
        HmacKey key = key();
        String token = sign(key.withId("theirs"));
        assertThat(verify(KeyRing.of(key), token)).isEqualTo("verified");
        assertThat(verify(KeyRing.of(key.withId("ours")), token)).isEqualTo("verified");
        assertThat(verify(KeyRing.of(key().withId("theirs")), token)).isEqualTo("bad_mac");
    }

    @Test
    void everyKeyOfTheRing_verifiesAndOnlyTheFirstSigns() {
        for (boolean named : new boolean[] {true, false}) {
            HmacKey one = named ? key().withId("1") : key();
            HmacKey two =
                    named ? HmacKey.generate(HmacAlgorithm.HS512).withId("2") : HmacKey.generate(HmacAlgorithm.HS512);
            HmacKey three = named ? key().withId("3") : key();
            KeyRing ring = KeyRing.of(one).alsoVerifying(two, Instant.MAX).alsoVerifying(three, Instant.MAX);
            assertThat(ring.size()).isEqualTo(3);
            for (HmacKey key : List.of(one, two, three)) {
                assertThat(verify(ring, sign(key))).isEqualTo("verified");
            }
            assertThat(verify(ring, sign(key()))).isEqualTo("bad_mac");
            assertThat(verify(ring, sign(key().withId("1")))).isEqualTo("bad_mac");
            String token = JwtSigner.with(ring).withTimeSource(Forge.CLOCK).sign(CLAIMS);
            assertThat(verify(KeyRing.of(one), token)).isEqualTo("verified");
        }
    }

    @Test
    void foreignHeaderWithAnyKid_isVerifiedByTheKeyThatMadeTheMac() {
        KeyRing ring = KeyRing.of(key().withId("1")).alsoVerifying(Forge.KEY.withId("2"), Instant.MAX);
        for (String kid : List.of("2", "1", "unknown", "../../dev/null")) {
            String header = "{\"kid\":\"" + kid + "\",\"alg\":\"HS256\"}";
            assertThat(verify(ring, Forge.token(header, Forge.claims("")))).isEqualTo("verified");
        }
    }

    @Test
    void kidOfOneKeyWithTheMacOfAnother_isRefused() {
        HmacKey two = Forge.KEY.withId("2");
        KeyRing ring = KeyRing.of(key().withId("1")).alsoVerifying(two, Instant.MAX);
        String header = "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"kid\":\"1\"}";
        assertThat(verify(ring, Forge.token(header, Forge.claims("")))).isEqualTo("bad_mac");
    }

    @Test
    void oldKey_verifiesUntilItsDateAndNotAtIt() {
        HmacKey old = key();
        String token = sign(old);
        assertThat(verify(KeyRing.of(key()).alsoVerifying(old, NOW.plusMillis(1)), token))
                .isEqualTo("verified");
        assertThat(verify(KeyRing.of(key()).alsoVerifying(old, NOW), token)).isEqualTo("bad_mac");
        assertThat(verify(KeyRing.of(key()).alsoVerifying(old, Instant.MIN), token))
                .isEqualTo("bad_mac");
        KeyRing named = KeyRing.of(key().withId("n")).alsoVerifying(old.withId("o"), NOW);
        assertThat(verify(named, sign(old.withId("o")))).isEqualTo("bad_mac");
    }

    @Test
    void ringThatCannotBe_isRefusedWhenItIsBuilt() {
        KeyRing ring = KeyRing.of(key().withId("1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.alsoVerifying(key().withId("1"), Instant.MAX))
                .withMessageContaining("'1'");
        KeyRing full = ring;
        for (int i = 2; i <= KeyRing.MAX_KEYS; i++) {
            full = full.alsoVerifying(key(), Instant.MAX);
        }
        KeyRing sixteen = full;
        assertThat(sixteen.size()).isEqualTo(16);
        assertThatIllegalArgumentException().isThrownBy(() -> sixteen.alsoVerifying(key(), Instant.MAX));
    }

    @Test
    void refusedRing_leavesTheOldOneInUse() {
        HmacKey old = key();
        RotatingKeys keys = RotatingKeys.startingWith(old);
        JwtVerifier verifier = JwtVerifier.with(keys).withTimeSource(Forge.CLOCK);
        KeyRing before = keys.ring();
        HmacKey bad = key();
        KeyRing badRing = KeyRing.of(bad);
        bad.close();
        assertThatIllegalArgumentException().isThrownBy(() -> keys.replaceWith(badRing));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.rotateTo(bad, Instant.MAX, NOW));
        assertThat(keys.ring()).isSameAs(before);
        assertThat(keys.version()).isZero();
        assertThat(outcome(verifier.verify(sign(old)))).isEqualTo("verified");
        assertThatIllegalArgumentException().isThrownBy(() -> RotatingKeys.startingWith(badRing));
    }

    @Test
    void rotation_keepsTheOldKeyUntilItsDate() {
        HmacKey first = key().withId("1");
        HmacKey second = key().withId("2");
        HmacKey third = key().withId("3");
        RotatingKeys keys = RotatingKeys.startingWith(first);
        JwtSigner signer = JwtSigner.with(keys).withTimeSource(Forge.CLOCK);
        JwtVerifier verifier = JwtVerifier.with(keys).withTimeSource(Forge.CLOCK);
        String old = signer.sign(CLAIMS);
        keys.rotateTo(second, NOW.plusSeconds(60), NOW);
        assertThat(keys.version()).isEqualTo(1);
        assertThat(outcome(verifier.verify(old))).isEqualTo("verified");
        assertThat(verify(KeyRing.of(second), signer.sign(CLAIMS))).isEqualTo("verified");
        keys.rotateTo(third, NOW.plusSeconds(90), NOW.plusSeconds(59));
        assertThat(keys.ring().size()).isEqualTo(3);
        assertThat(outcome(verifier.verify(old))).isEqualTo("verified");
        JwtVerifier later = verifier.withTimeSource(InstantSource.fixed(NOW.plusSeconds(60)));
        assertThat(outcome(later.verify(old))).isEqualTo("bad_mac");
        keys.rotateTo(first, NOW.plusSeconds(90), NOW.plusSeconds(60));
        assertThat(keys.ring().size())
                .as("first dropped as old, back as new; second and third")
                .isEqualTo(3);
        assertThat(keys.ring().signingKey()).isSameAs(first);
        assertThat(keys.version()).isEqualTo(3);
    }

    @Test
    void replacement_forgetsTheKeysThatAreNotInIt() {
        HmacKey old = key();
        RotatingKeys keys = RotatingKeys.startingWith(KeyRing.of(old));
        JwtVerifier verifier = JwtVerifier.with(keys).withTimeSource(Forge.CLOCK);
        HmacKey next = key();
        keys.replaceWith(KeyRing.of(next));
        assertThat(outcome(verifier.verify(sign(old)))).isEqualTo("bad_mac");
        assertThat(outcome(verifier.verify(sign(next)))).isEqualTo("verified");
    }

    @Test
    void rotationUnderLoad_losesNoTokenAndAcceptsNoneOfOthers() throws Exception {
        RotatingKeys keys = RotatingKeys.startingWith(key().withId("0"));
        JwtSigner signer = JwtSigner.with(keys).withTimeSource(Forge.CLOCK);
        JwtVerifier verifier = JwtVerifier.with(keys).withTimeSource(Forge.CLOCK);
        String foreign = sign(key().withId("0"));
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Semaphore> rounds = new ArrayList<>();
            List<Future<?>> workers = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Semaphore round = new Semaphore(0);
                rounds.add(round);
                workers.add(threads.submit(() -> {
                    while (!done.get()) {
                        try {
                            assertThat(outcome(verifier.verify(signer.sign(CLAIMS))))
                                    .isEqualTo("verified");
                            assertThat(outcome(verifier.verify(foreign))).isEqualTo("bad_mac");
                        } finally {
                            round.release();
                        }
                    }
                }));
            }
            List<String> kept = new ArrayList<>();
            for (int i = 1; i <= 100; i++) {
                kept.add(signer.sign(CLAIMS));
                keys.rotateTo(key().withId(Integer.toString(i)), NOW.plusSeconds(i), NOW.plusSeconds(i - 3L));
                assertThat(outcome(verifier.verify(kept.get(i - 1))))
                        .as("the key before")
                        .isEqualTo("verified");
                if (i > 3) {
                    assertThat(outcome(verifier.verify(kept.get(i - 4))))
                            .as("a key whose date has passed")
                            .isEqualTo("bad_mac");
                }
                // Each round begins at most one rotation before its end, so three kept generations are enough.
                for (Semaphore round : rounds) {
                    round.drainPermits();
                    assertThat(round.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                }
            }
            done.set(true);
            for (Future<?> worker : workers) {
                worker.get();
            }
            assertThat(keys.version()).isEqualTo(100);
            assertThat(keys.ring().size()).isLessThanOrEqualTo(KeyRing.MAX_KEYS);
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    void keys_areEqual_byBytesAndAlgorithm_forEveryId() {
        byte[] bytes = new byte[64];
        bytes[63] = 1;
        HmacKey key = HmacKey.of(bytes);
        assertThat(key.isSameKeyAs(HmacKey.of(bytes).withId("1"))).isTrue();
        assertThat(key.isSameKeyAs(HmacKey.of(bytes, HmacAlgorithm.HS256))).isFalse();
        bytes[0] = 1;
        assertThat(key.isSameKeyAs(HmacKey.of(bytes))).isFalse();
        key.close();
        assertThat(key.isSameKeyAs(key)).isFalse();
    }

    @Test
    void rotationBackToAnEarlierKey_keepsItOnce() {
        byte[] bytes = new byte[32];
        bytes[0] = 1;
        RotatingKeys keys = RotatingKeys.startingWith(HmacKey.of(bytes));
        keys.rotateTo(key(), Instant.MAX, NOW);
        keys.rotateTo(HmacKey.of(bytes), Instant.MAX, NOW);
        assertThat(keys.ring().size()).isEqualTo(2);
    }
}
