package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.passkeys.Challenges.Purpose;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A challenge is the service's own, for one purpose and one account, for five minutes. */
class ChallengesTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final Challenges challenges = new Challenges(Secret.of(new byte[32]));
    private final byte[] challenge = challenges.make(Purpose.STEP, "ada", "note", NOON);

    @Test
    void challenge_isOpenedWithItsNote_untilItsEnd_andNotAtIt() {
        assertThat(challenges.open(Purpose.STEP, "ada", challenge, NOON)).contains("note");
        assertThat(Challenges.endOf(challenge)).isEqualTo(NOON.plusSeconds(300));
        assertThat(challenges.open(Purpose.STEP, "ada", challenge, NOON.plusMillis(299_999)))
                .isPresent();
        assertThat(challenges.open(Purpose.STEP, "ada", challenge, NOON.plusSeconds(300)))
                .isEmpty();
    }

    @Test
    void challenge_withoutANote_isTheShortest() {
        byte[] shortest = challenges.make(Purpose.LOGIN, "", "", NOON);
        assertThat(shortest).hasSize(56);
        assertThat(challenges.open(Purpose.LOGIN, "", shortest, NOON)).contains("");
        for (int length = 0; length < shortest.length; length++) {
            assertThat(challenges.open(Purpose.LOGIN, "", Arrays.copyOf(shortest, length), NOON))
                    .isEmpty();
        }
    }

    @Test
    void anotherPurpose_account_orKey_opensNone() {
        for (Purpose purpose : Purpose.values()) {
            assertThat(challenges.open(purpose, "ada", challenge, NOON).isPresent())
                    .isEqualTo(purpose == Purpose.STEP);
        }
        assertThat(challenges.open(Purpose.STEP, "grace", challenge, NOON)).isEmpty();
        byte[] otherKey = new byte[32];
        otherKey[31] = 1;
        assertThat(new Challenges(Secret.of(otherKey)).open(Purpose.STEP, "ada", challenge, NOON))
                .isEmpty();
    }

    /** The end, the nonce, the MAC and the note: a change of any bit is noticed. */
    @Test
    void eachByte_isProved() {
        for (int i = 0; i < challenge.length; i++) {
            byte[] changed = challenge.clone();
            changed[i] ^= 1;
            assertThat(challenges.open(Purpose.STEP, "ada", changed, NOON))
                    .as("byte " + i)
                    .isEmpty();
        }
        assertThat(challenges.open(Purpose.STEP, "ada", Arrays.copyOf(challenge, challenge.length + 1), NOON))
                .isEmpty();
    }

    /** Without the lengths in the MAC, the first bytes of the end could be the last of a name. */
    @Test
    void partsOfAChallenge_areToldApart() {
        byte[] mac = Arrays.copyOfRange(challenge, 24, 56);
        byte[] parts = new byte[28];
        System.arraycopy(challenge, 0, parts, 0, 24);
        System.arraycopy(challenge, 56, parts, 24, 4);
        byte[] moved = new byte[58];
        System.arraycopy(parts, 2, moved, 0, 24);
        System.arraycopy(mac, 0, moved, 24, 32);
        System.arraycopy(parts, 26, moved, 56, 2);
        assertThat(Arrays.copyOf(challenge, 2)).containsOnly(0);
        assertThat(challenges.open(Purpose.STEP, "ada\0\0", moved, NOON)).isEmpty();
    }

    @Test
    void noTwoChallenges_areAlike() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            made.add(Base64Url.encode(challenges.make(Purpose.STEP, "ada", "", NOON)));
        }
        assertThat(made).doesNotHaveDuplicates();
    }

    @Test
    void handleOfAnAccount_isAlwaysTheSame_andItsOwn() {
        assertThat(challenges.handleOf("ada")).hasSize(32).isEqualTo(challenges.handleOf("ada"));
        assertThat(challenges.handleOf("ada")).isNotEqualTo(challenges.handleOf("grace"));
    }

    @Test
    void keyOfAnotherLength_isRefused() {
        for (int length : new int[] {31, 33}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Challenges(Secret.of(new byte[length])))
                    .withMessageContaining("got " + length);
        }
    }
}
