package dev.latchkey.auth.spring.password;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of a hash for the pool: the stored hash decides, for every encoder. */
class HashingMemoryTest {

    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA | 19",
                "{argon2}$argon2id$v=19$m=16384,t=2,p=1$c2FsdA$aGFzaA | 16",
                "$argon2d$m=4096,t=3,p=4$c2FsdA$aGFzaA | 4",
                "$scrypt$ln=17,r=8,p=1$c2FsdA$aGFzaA | 128",
                "{scrypt}$100801$c2FsdA==$aGFzaA== | 64",
                "$e0801$c2FsdA==$aGFzaA== | 16"
            })
    void hashThatNeedsMemory_saysHowMuch(String stored, long mebibytes) {
        assertThat(HashingMemory.of(stored)).isEqualTo(mebibytes * MIB);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
                "{pbkdf2@SpringSecurity_v5_8}e0801e0801",
                "plain$e0801$",
                "$scrypt$ln=99,r=8,p=1$c2FsdA$aGFzaA"
            })
    void hashThatNeedsNone_orSaysNonsense_isNone(String stored) {
        assertThat(HashingMemory.of(stored)).isZero();
    }

    @Test
    void parametersFarBehindTheHead_areNotSearchedFor() {
        assertThat(HashingMemory.of(" ".repeat(1_000) + "$argon2id$m=19456,t=2,p=1$"))
                .isZero();
    }
}
