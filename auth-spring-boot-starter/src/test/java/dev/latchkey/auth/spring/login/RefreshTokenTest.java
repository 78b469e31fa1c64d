package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** The text of refresh tokens, and what a store keeps of them. */
class RefreshTokenTest {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int CHARS = 64;

    private final RefreshToken token = RefreshToken.first(new SecureRandom());

    @Test
    void text_isBase64Url_andIsReadAgain() {
        assertThat(token.text()).hasSize(CHARS).matches("[A-Za-z0-9_-]+");
        assertThat(read(token.text()).hasHash(token.hash())).isTrue();
        // Each character stands at each place of a group of four.
        for (int i = 0; i < CHARS; i++) {
            String text = ALPHABET.substring(i) + ALPHABET.substring(0, i);
            assertThat(read(text).text()).isEqualTo(text);
        }
    }

    private static RefreshToken read(String text) {
        return RefreshToken.parse(text).orElseThrow();
    }

    @Test
    void textWithAnotherCharacter_orOfAnotherLength_isNoToken() {
        String rest = token.text().substring(1);
        for (char other : new char[] {' ', '+', ',', '.', '/', ':', '@', '[', '=', '`', '{', '\u00e9'}) {
            assertThat(RefreshToken.parse(other + rest)).isEmpty();
        }
        assertThat(RefreshToken.parse(rest)).isEmpty();
        assertThat(RefreshToken.parse(rest + "AA")).isEmpty();
    }

    @Test
    void nextToken_isOfTheSameSession_andFollowsFromTokenAndSeed() {
        RefreshToken next = token.next("seed");
        assertThat(next.sessionId()).isEqualTo(token.sessionId());
        assertThat(next.hash())
                .isNotEqualTo(token.hash())
                .isEqualTo(token.next("seed").hash());
        assertThat(token.next("other").hash()).isNotEqualTo(next.hash());
        RefreshToken ofAnother = RefreshToken.first(new SecureRandom());
        assertThat(ofAnother.sessionId()).isNotEqualTo(token.sessionId());
        assertThat(ofAnother.next("seed").hash()).isNotEqualTo(next.hash());
        assertThat(RefreshToken.seed(new SecureRandom())).isNotEqualTo(RefreshToken.seed(new SecureRandom()));
    }

    @Test
    void idOfASession_isNoIdOfAToken() {
        assertThat(RefreshToken.isSessionId(token.sessionId())).isTrue();
        assertThat(RefreshToken.isSessionId("0123456789abcdef")).isFalse();
    }

    @Test
    void stamp_isOfTheToken_thePassword_andTheClient() {
        String stamp = stamp(token, "hash", "shop");
        assertThat(stamp(token, "hash", "shop")).isEqualTo(stamp);
        assertThat(stamp(token.next("seed"), "hash", "shop")).isNotEqualTo(stamp);
        assertThat(stamp(token, "hush", "shop")).isNotEqualTo(stamp);
        assertThat(stamp(token, "hash", "app")).isNotEqualTo(stamp);
        assertThat(stamp(token, "hash", "")).isNotEqualTo(stamp);
        assertThat(RefreshToken.isSame(stamp, stamp(token, "hash", "shop"))).isTrue();
        assertThat(RefreshToken.isSame(stamp, stamp(token, "hash", ""))).isFalse();
    }

    private static String stamp(RefreshToken token, String password, String client) {
        return token.stampOf(Secret.of(password), client);
    }
}
