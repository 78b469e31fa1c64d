package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A closed key is no key: the key blocks no other key, and its users take the replacement. */
class ClosedKeysTest {

    private static final JwtClaims CLAIMS = JwtClaims.forSubject("a", Duration.ofHours(1));

    private static HmacKey key() {
        return HmacKey.generate(HmacAlgorithm.HS256);
    }

    private static HmacKey closed(HmacKey key) {
        key.close();
        return key;
    }

    private static List<HmacKey> keysOf(KeyRing ring) {
        return ring.entries().stream().map(KeyRing.Entry::key).toList();
    }

    @Test
    void closedKeyInRing_isDropped() {
        HmacKey old = key();
        HmacKey present = key();
        HmacKey other = key();
        KeyRing ring = KeyRing.of(present).alsoVerifying(old, Instant.MAX);
        old.close();
        assertThat(keysOf(ring.alsoVerifying(other, Instant.MAX))).containsExactly(present, other);
        assertThat(keysOf(KeyRing.of(present).alsoVerifying(old, Instant.MAX))).containsExactly(present);
        RotatingKeys replaced = RotatingKeys.startingWith(key());
        replaced.replaceWith(ring);
        assertThat(keysOf(replaced.ring())).containsExactly(present);
        assertThat(keysOf(RotatingKeys.startingWith(ring).ring())).containsExactly(present);
    }

    @Test
    void closedKeyInRing_takesNoIdAndNoRoom() {
        KeyRing ring = KeyRing.of(key().withId("signs"));
        List<HmacKey> old = new ArrayList<>();
        for (int i = 1; i < KeyRing.MAX_KEYS; i++) {
            old.add(key().withId("old " + i));
            ring = ring.alsoVerifying(old.get(i - 1), Instant.MAX);
        }
        old.get(0).close();
        KeyRing roomy = ring.alsoVerifying(key().withId("old 1"), Instant.MAX);
        assertThat(roomy.size()).isEqualTo(KeyRing.MAX_KEYS);
        assertThatIllegalArgumentException().isThrownBy(() -> roomy.alsoVerifying(key(), Instant.MAX));
    }

    @Test
    void emergencyRotation_worksThoughAnOldKeyIsClosed() {
        HmacKey old = key();
        HmacKey leaked = key();
        RotatingKeys keys = RotatingKeys.startingWith(KeyRing.of(leaked).alsoVerifying(old, Instant.MAX));
        old.close();
        HmacKey next = key();
        keys.rotateTo(next, NOW.plusSeconds(60), NOW);
        assertThat(keysOf(keys.ring())).containsExactly(next, leaked);
        leaked.close();
        HmacKey last = key();
        keys.rotateTo(last, NOW.plusSeconds(60), NOW);
        assertThat(keysOf(keys.ring())).containsExactly(last, next);
    }

    @Test
    void closedSigningKey_isRefusedAndTheRingStays() {
        HmacKey present = key();
        RotatingKeys keys = RotatingKeys.startingWith(present);
        KeyRing dead = KeyRing.of(key());
        dead.signingKey().close();
        assertThatIllegalArgumentException().isThrownBy(() -> keys.replaceWith(dead));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.rotateTo(closed(key()), Instant.MAX, NOW));
        assertThatIllegalArgumentException().isThrownBy(() -> RotatingKeys.startingWith(dead));
        assertThat(keysOf(keys.ring())).containsExactly(present);
    }

    /** The clock is asked between the look at the ring and the MAC: the very moment in which a key may be replaced. */
    @Test
    void signerWithAClosedKey_signsWithThePresentKeyOfTheRing() {
        HmacKey old = key().withId("old");
        HmacKey next = HmacKey.generate(HmacAlgorithm.HS512).withId("next");
        RotatingKeys keys = RotatingKeys.startingWith(old);
        AtomicBoolean rotated = new AtomicBoolean();
        JwtSigner signer = JwtSigner.with(keys).withTimeSource(() -> {
            if (rotated.compareAndSet(false, true)) {
                keys.replaceWith(KeyRing.of(next));
                old.close();
            }
            return NOW;
        });
        String token = signer.sign(CLAIMS);
        VerifiedJwt jwt = JwtVerifier.with(next).withTimeSource(Forge.CLOCK).verifyOrThrow(token);
        assertThat(jwt.keyId()).hasValue("next");
        assertThat(jwt.header()).containsEntry("alg", "HS512");
        next.close();
        assertThatThrownBy(() -> signer.sign(CLAIMS))
                .as("the ring's present key is closed as well")
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The signing key was closed");
    }

    @Test
    void closingAfterReplacing_neverFailsASignature() throws Exception {
        RotatingKeys keys = RotatingKeys.startingWith(key());
        JwtSigner signer = JwtSigner.with(keys).withTimeSource(Forge.CLOCK);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> signers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                signers.add(threads.submit(() -> {
                    while (!done.get()) {
                        assertThat(signer.sign(CLAIMS)).isNotEmpty();
                    }
                }));
            }
            for (int i = 0; i < 3_000; i++) {
                HmacKey old = keys.ring().signingKey();
                keys.replaceWith(KeyRing.of(key()));
                old.close();
            }
            done.set(true);
            for (Future<?> each : signers) {
                each.get();
            }
            assertThat(outcome(
                            JwtVerifier.with(keys).withTimeSource(Forge.CLOCK).verify(signer.sign(CLAIMS))))
                    .isEqualTo("verified");
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
    }
}
