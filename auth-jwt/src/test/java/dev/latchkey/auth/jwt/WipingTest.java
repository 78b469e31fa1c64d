package dev.latchkey.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a key leaves in memory after it was closed: nothing. */
class WipingTest {

    @Test
    void digestsThatAbsorbedTheKey_areEmptyOnceTheyWereWiped() {
        RememberingDigest digest = new RememberingDigest(new ArrayList<>());
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

    /** Holds what it was given until it is reset, and knows its clones. */
    private static final class RememberingDigest extends UncloneableDigest implements Cloneable {
        private final List<RememberingDigest> clones;
        private final ByteArrayOutputStream absorbed = new ByteArrayOutputStream();

        RememberingDigest(List<RememberingDigest> clones) {
            this.clones = clones;
        }

        @Override
        public Object clone() {
            RememberingDigest clone = new RememberingDigest(clones);
            clone.absorbed.writeBytes(absorbed.toByteArray());
            clones.add(clone);
            return clone;
        }

        @Override
        protected void engineUpdate(byte[] input, int offset, int length) {
            absorbed.write(input, offset, length);
        }

        @Override
        protected void engineReset() {
            absorbed.reset();
        }
    }
}
