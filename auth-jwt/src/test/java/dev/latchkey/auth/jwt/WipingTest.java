package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A closed key leaves nothing in memory. */
class WipingTest {

    @Test
    void digestsThatAbsorbedTheKey_areEmptyOnceTheyWereWiped() {
        RememberingDigest digest = new RememberingDigest(Integer.MAX_VALUE);
        Hmac hmac = Hmac.of(HmacAlgorithm.HS256, Forge.KEY_BYTES, digest);
        assertThat(hmac).isInstanceOf(ClonedDigestHmac.class);
        assertThat(digest.clones)
                .extracting(clone -> clone.absorbed.size())
                .as("one for each pad, and what was made of them to see whether it can be")
                .containsExactly(64, 64, 0, 0);
        hmac.wipe();
        assertThat(digest.clones)
                .allSatisfy(clone -> assertThat(clone.absorbed.size()).isZero());
        assertThat(digest.absorbed.size()).isZero();
    }

    @Test
    void digestsThatAbsorbedTheKey_areEmptyOnceTheFallbackIsTaken() {
        RememberingDigest digest = new RememberingDigest(0);
        assertThat(Hmac.of(HmacAlgorithm.HS256, Forge.KEY_BYTES, digest)).isInstanceOf(RestartedMacHmac.class);
        assertThat(digest.given).as("the two pads").hasSize(2);
        assertThat(digest.clones)
                .hasSize(2)
                .allSatisfy(clone -> assertThat(clone.absorbed.size()).isZero());
    }

    @Test
    void copiesOfTheKey_areOverwrittenOnceTheDigestsHaveAbsorbedThem() {
        RememberingDigest digest = new RememberingDigest(Integer.MAX_VALUE);
        byte[] longKey =
                "a key that is longer than a block of its algorithm".repeat(2).getBytes(StandardCharsets.US_ASCII);
        Hmac.of(HmacAlgorithm.HS256, longKey, digest);
        assertThat(digest.given).hasSize(4);
        assertThat(digest.given.get(0)).as("the caller's own").isSameAs(longKey);
        assertThat(digest.given.subList(1, 4))
                .as("its hash, and the two pads")
                .allSatisfy(copy -> assertThat(copy).containsOnly(0));
    }

    @Test
    void keyOfTheFallback_isOverwritten() throws ReflectiveOperationException {
        byte[] given = Forge.KEY_BYTES.clone();
        RestartedMacHmac hmac = new RestartedMacHmac(HmacAlgorithm.HS256, given);
        Field field = RestartedMacHmac.class.getDeclaredField("key");
        field.setAccessible(true);
        assertThat((byte[]) field.get(hmac)).isEqualTo(Forge.KEY_BYTES).isNotSameAs(given);
        hmac.wipe();
        assertThat((byte[]) field.get(hmac)).containsOnly(0);
        assertThat(given).as("the caller's own").isEqualTo(Forge.KEY_BYTES);
    }

    /** Keeps its input until the reset, with its clones and the arrays of its input. */
    private static final class RememberingDigest extends UncloneableDigest implements Cloneable {
        private final int mostForAClone;
        private final List<RememberingDigest> clones;
        private final List<byte[]> given;
        private final ByteArrayOutputStream absorbed = new ByteArrayOutputStream();

        /** @param mostForAClone the most absorbed bytes at the time of a clone */
        RememberingDigest(int mostForAClone) {
            this(mostForAClone, new ArrayList<>(), new ArrayList<>());
        }

        private RememberingDigest(int mostForAClone, List<RememberingDigest> clones, List<byte[]> given) {
            this.mostForAClone = mostForAClone;
            this.clones = clones;
            this.given = given;
        }

        @Override
        public Object clone() throws CloneNotSupportedException {
            if (absorbed.size() > mostForAClone) {
                throw new CloneNotSupportedException();
            }
            RememberingDigest clone = new RememberingDigest(mostForAClone, clones, given);
            clone.absorbed.writeBytes(absorbed.toByteArray());
            clones.add(clone);
            return clone;
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            absorbed.write(input, offset, length);
            given.add(input);
        }

        @Override
        protected byte[] engineDigest() {
            byte[] hash = Forge.KEY_BYTES.clone();
            given.add(hash);
            return hash;
        }

        @Override
        protected void engineReset() {
            absorbed.reset();
        }
    }
}
