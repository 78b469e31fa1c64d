package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static dev.latchkey.auth.jwt.Forge.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A leaked key verifies nothing from the moment of its drop, and the remaining keys go on. */
class DroppedKeysTest {

    private static final JwtClaims CLAIMS = JwtClaims.forSubject("a", Duration.ofHours(1));

    private final byte[] leakedBytes = Forge.KEY_BYTES.clone();
    private final HmacKey leaked = HmacKey.of(leakedBytes).withId("leaked");
    private final byte[] otherBytes = "another key of at least 256 bits".getBytes(StandardCharsets.US_ASCII);
    private final HmacKey other = HmacKey.of(otherBytes).withId("other");
    private final HmacKey next = key("next");

    private final RotatingKeys keys =
            RotatingKeys.startingWith(KeyRing.of(leaked).alsoVerifying(other, NOW.plusSeconds(60)));
    private final JwtVerifier verifier = JwtVerifier.with(keys).withTimeSource(Forge.CLOCK);

    private static HmacKey key(String id) {
        return HmacKey.generate(HmacAlgorithm.HS256).withId(id);
    }

    private static String sign(HmacKey key) {
        return JwtSigner.with(key).withTimeSource(Forge.CLOCK).sign(CLAIMS);
    }

    @Test
    void rotateAndDrop_endsTokensOfTheLeakedKey_andNoOther() {
        String forged = sign(leaked);
        String ofAnother = sign(other);
        assertThat(outcome(verifier.verify(forged))).isEqualTo("verified");
        keys.rotateAndDrop(next);
        assertThat(outcome(verifier.verify(forged))).isEqualTo("bad_mac");
        assertThat(outcome(verifier.verify(sign(leaked.withId("next"))))).isEqualTo("bad_mac");
        assertThat(outcome(verifier.verify(ofAnother))).isEqualTo("verified");
        assertThat(keys.ring().entries())
                .containsExactly(new KeyRing.Entry(next, Instant.MAX), new KeyRing.Entry(other, NOW.plusSeconds(60)));
        String later = JwtSigner.with(keys).withTimeSource(Forge.CLOCK).sign(CLAIMS);
        assertThat(outcome(verifier.verify(later))).isEqualTo("verified");
        assertThat(keys.version()).isEqualTo(1);
    }

    @Test
    void leakedKeyUnderAnotherId_isDroppedToo() {
        keys.replaceWith(
                KeyRing.of(leaked).alsoVerifying(HmacKey.of(leakedBytes).withId("twin"), Instant.MAX));
        keys.rotateAndDrop(next);
        assertThat(keys.ring().size()).isEqualTo(1);
        assertThat(outcome(verifier.verify(sign(leaked.withId("twin"))))).isEqualTo("bad_mac");
    }

    @Test
    void rotatingToTheLeakedKeyItself_isRefused() {
        KeyRing before = keys.ring();
        assertThatIllegalArgumentException().isThrownBy(() -> keys.rotateAndDrop(leaked));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.rotateAndDrop(HmacKey.of(leakedBytes).withId("new name")));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.rotateAndDrop(key("other")));
        assertThat(keys.ring()).isSameAs(before);
    }

    @Test
    void closedCopyOfAKey_removesTheKey() {
        HmacKey copy = HmacKey.of(otherBytes).withId("a copy");
        copy.close();
        assertThat(keys.ring().without(copy).size()).isEqualTo(1);
        HmacKey signing = HmacKey.of(leakedBytes);
        signing.close();
        assertThatIllegalArgumentException().isThrownBy(() -> keys.ring().without(signing));
    }

    @Test
    void leakedKeyThatWasClosed_isDroppedAllTheSame() {
        leaked.close();
        keys.rotateAndDrop(next);
        assertThat(keys.ring().signingKey()).isSameAs(next);
        assertThat(keys.ring().size()).isEqualTo(2);
    }

    @Test
    void replaceAndDrop_dropsKeysMissingInTheNewRing_andNoOther() {
        keys.replaceAndDrop(KeyRing.of(next).alsoVerifying(leaked, Instant.MAX));
        assertThat(keys.hasDropped(other)).isTrue();
        assertThat(keys.hasDropped(leaked)).isFalse();
        keys.replaceAndDrop(KeyRing.of(next).alsoVerifying(other, Instant.MAX));
        assertThat(keys.hasDropped(leaked)).isTrue();
        assertThat(keys.hasDropped(other)).as("dropped before").isTrue();
        assertThat(keys.ring().size()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> keys.replaceAndDrop(KeyRing.of(leaked)));
        assertThat(keys.hasDropped(next)).isFalse();
    }

    @Test
    void droppedVerifyingKey_leavesTheRing_andTheSigningKeyStays() {
        keys.replaceWith(keys.ring().without(other));
        assertThat(outcome(verifier.verify(sign(other)))).isEqualTo("bad_mac");
        assertThat(outcome(verifier.verify(sign(leaked)))).isEqualTo("verified");
        assertThat(keys.ring().without(other).size()).as("not there").isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> keys.ring().without(leaked));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.ring().without(HmacKey.of(leakedBytes)));
    }

    @Test
    void droppedKey_staysOutOfEveryLaterRing() {
        String forged = sign(leaked);
        keys.rotateAndDrop(next);
        keys.replaceWith(keys.ring().alsoVerifying(HmacKey.of(leakedBytes), Instant.MAX));
        assertThat(outcome(verifier.verify(forged))).isEqualTo("bad_mac");
        assertThat(keys.ring().size()).isEqualTo(2);
        keys.rotateTo(key("third"), Instant.MAX, NOW);
        assertThat(outcome(verifier.verify(forged))).isEqualTo("bad_mac");
    }

    @Test
    void droppedKey_neverSignsAgain() {
        keys.rotateAndDrop(next);
        KeyRing before = keys.ring();
        HmacKey twin = HmacKey.of(leakedBytes, HmacAlgorithm.HS256).withId("new name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.rotateTo(twin, Instant.MAX, NOW))
                .withMessageContaining("dropped");
        assertThatIllegalArgumentException().isThrownBy(() -> keys.rotateAndDrop(twin));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.replaceWith(KeyRing.of(twin)));
        assertThat(keys.ring()).isSameAs(before);
    }

    @Test
    void keysDroppedOneAfterTheOther_allStayOut() {
        keys.rotateAndDrop(next);
        HmacKey third = key("third");
        keys.rotateAndDrop(third);
        keys.replaceWith(KeyRing.of(third).alsoVerifying(leaked, Instant.MAX).alsoVerifying(next, Instant.MAX));
        assertThat(keys.ring().entries()).containsExactly(new KeyRing.Entry(third, Instant.MAX));
    }

    @Test
    void leakedKeyThatWasClosedBefore_doesNotComeBackFromItsBytes() {
        leaked.close();
        keys.rotateAndDrop(next);
        HmacKey again = HmacKey.of(leakedBytes);
        keys.replaceWith(keys.ring().alsoVerifying(again, Instant.MAX));
        assertThat(outcome(verifier.verify(sign(again)))).isEqualTo("bad_mac");
    }
}
