package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFormatTest {

    /** CRC-32 of what stands before the last six, computed by another program. */
    private static final String KNOWN = "lk_0123456789AB_0000000000000000000000000000000000000000000";

    private final KeyFormat format = KeyFormat.withPrefix("lk_");
    private final SecureRandom random = new SecureRandom();

    private boolean isWellFormed(String text) {
        return format.isWellFormed(text.getBytes(StandardCharsets.UTF_8));
    }

    private String key() {
        return format.randomKey(format.randomId(random), random);
    }

    @Test
    void newKey_isWellFormed_andHasItsId() {
        String id = format.randomId(random);
        String key = format.randomKey(id, random);
        assertThat(key).matches("lk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}").startsWith("lk_" + id + "_");
        assertThat(isWellFormed(key)).isTrue();
        assertThat(format.idOf(key.getBytes(StandardCharsets.US_ASCII))).isEqualTo(id);
    }

    /** Stored digests cover the text from this place on. With another place, no stored digest would match its key. */
    @Test
    void secret_beginsBehindTheId() {
        assertThat(KNOWN.substring(format.secretAt())).isEqualTo("0".repeat(43));
        assertThat(KeyFormat.withPrefix("acme_live_").secretAt()).isEqualTo(23);
    }

    @Test
    void checksum_isCrc32InBase62() {
        assertThat(isWellFormed(KNOWN + "45iEg4")).isTrue();
        assertThat(isWellFormed(KNOWN + "45iEg1")).isFalse();
    }

    @Test
    void everyTypingErrorOfOneCharacter_isSeen() {
        String key = key();
        for (int i = 0; i < key.length(); i++) {
            for (char c : new char[] {'0', 'a', 'Z', '_', '-', ' ', '\u00e9'}) {
                if (key.charAt(i) != c) {
                    assertThat(isWellFormed(key.substring(0, i) + c + key.substring(i + 1)))
                            .as("%s at %s", c, i)
                            .isFalse();
                }
            }
        }
    }

    @Test
    void characterOutsideOfTheAlphabet_isNoKey_withItsChecksumToo() {
        String text = key();
        String body = text.substring(0, text.length() - 6);
        for (int i = text.indexOf('_') + 1; i < body.length(); i++) {
            if (body.charAt(i) != '_') {
                String other = body.substring(0, i) + '-' + body.substring(i + 1);
                assertThat(isWellFormed(other + Checksums.of(other))).isFalse();
            }
        }
        assertThat(isWellFormed(body + Checksums.of(body))).isTrue();
    }

    @Test
    void otherLengths_areNoKeys() {
        String key = key();
        for (int length = 0; length < key.length(); length++) {
            assertThat(isWellFormed(key.substring(0, length))).isFalse();
        }
        assertThat(isWellFormed(key + "0")).isFalse();
        assertThat(isWellFormed(" " + key)).isFalse();
        assertThat(isWellFormed(key.repeat(1000))).isFalse();
    }

    /** 43 of 62 are 256 bits; a secret that used fewer characters would have fewer. */
    @Test
    void secret_usesAllCharacters_andNoTwoKeysAreAlike() {
        Set<String> keys = new HashSet<>();
        Set<Integer> characters = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String key = key();
            keys.add(key);
            key.substring(16, 59).chars().forEach(characters::add);
        }
        assertThat(keys).hasSize(1_000);
        assertThat(characters).hasSize(62);
    }

    @Test
    void keyOfAnotherPrefix_isNone() {
        KeyFormat other = KeyFormat.withPrefix("kl_");
        assertThat(isWellFormed(other.randomKey(other.randomId(random), random)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_", "lk", "LK_", "1k_", "l-k_", "lk_ ", "lk__longer_than_twenty_"})
    void textThatIsNoPrefix_isRefused(String prefix) {
        assertThatThrownBy(() -> KeyFormat.withPrefix(prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("A prefix of keys is");
    }

    @ParameterizedTest
    @ValueSource(strings = {"l_", "lk_", "acme_live_", "twenty_characters_1_"})
    void prefix_isTaken(String prefix) {
        KeyFormat format = KeyFormat.withPrefix(prefix);
        String key = format.randomKey(format.randomId(random), random);
        assertThat(format.isWellFormed(key.getBytes(StandardCharsets.US_ASCII))).isTrue();
        assertThat(format.begins(key)).isTrue();
        assertThat(format.begins(prefix)).isTrue();
        assertThat(format.begins(prefix.substring(1))).isFalse();
    }

    @Test
    void pattern_findsKeysInATextAsTheReadmeHasIt() throws Exception {
        String key = key();
        Matcher found = format.pattern().matcher("curl -H 'X-API-Key: " + key + "' # " + key + "1");
        assertThat(found.find()).isTrue();
        assertThat(found.group()).isEqualTo(key);
        assertThat(found.find()).isFalse();
        Matcher documented = Pattern.compile("(?m)^\\\\blk_.*$").matcher(Files.readString(Path.of("README.md")));
        assertThat(documented.find()).isTrue();
        assertThat(documented.group()).isEqualTo(format.pattern().pattern());
    }
}
