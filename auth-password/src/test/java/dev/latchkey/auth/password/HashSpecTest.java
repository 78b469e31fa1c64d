package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashSpecTest {

    @ParameterizedTest
    @ValueSource(strings = {"argon2id", "scrypt", "bcrypt", "pbkdf2-sha256", "pbkdf2-sha512"})
    void defaultCosts_areOwasps(String name) {
        assertThat(HashSpec.of(name).toString())
                .isIn(
                        "argon2id:m=19456,t=2,p=1",
                        "scrypt:ln=17,r=8,p=1",
                        "bcrypt:cost=10",
                        "pbkdf2-sha256:i=600000",
                        "pbkdf2-sha512:i=220000");
        assertThat(HashSpec.of(HashSpec.of(name).toString()))
                .hasToString(HashSpec.of(name).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "argon2id:m=7167,t=6,p=1",
                "argon2id:m=19456,t=1,p=1",
                "argon2id:m=19456,t=2,p=0",
                "argon2id:m=1048577,t=1,p=1",
                "argon2id:m=1048576,t=5,p=1",
                "argon2id:m=19456,t=2,p=65",
                "scrypt:ln=12,r=8,p=20",
                "scrypt:ln=16,r=8,p=1",
                "scrypt:ln=19,r=8,p=1",
                "scrypt:ln=31,r=255,p=255",
                "scrypt:ln=17,r=1,p=5",
                "scrypt:ln=16,r=1,p=10",
                "bcrypt:cost=9",
                "bcrypt:cost=17",
                "bcrypt:cost=",
                "bcrypt:",
                "bcrypt:rounds=12",
                "bcrypt:cost=-12",
                "pbkdf2-sha256:i=599999",
                "pbkdf2-sha256:i=10000001",
                "pbkdf2-sha512:i=219999",
                "sha1",
                "",
                "BCRYPT"
            })
    void specBelowAFloorOrAboveACeilingOrUnknown_isRefusedWithTheRule(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HashSpec.of(text)).withMessageMatching("(?s).{20,}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "argon2id:m=7167,t=6,p=1 | m of at least 7168 KiB | got m=7167,t=6,p=1",
                "argon2id:m=1048577,t=1,p=1 | limited to m=1048576 KiB | got m=1048577,t=1,p=1",
                "scrypt:ln=17,r=1,p=5 | of at least 1 and less than 16 r | got ln=17,r=1,p=5",
                "scrypt:ln=16,r=8,p=1 | N*r*p of at least 655360 | got ln=16,r=8,p=1",
                "scrypt:ln=19,r=8,p=1 | limited to N*r=2097152 | got ln=19,r=8,p=1",
                "bcrypt:cost=17 | a cost of 10 to 16 | got 17",
                "pbkdf2-sha256:i=1 | 600000 to 10000000 iterations | got 1",
                "pbkdf2-sha512:i=99999999999 | 220000 to 10000000 iterations | got 2147483647"
            })
    void refusal_namesTheRange_andTheWantedValue(String text, String range, String got) {
        assertThatIllegalArgumentException().isThrownBy(() -> HashSpec.of(text)).withMessageContainingAll(range, got);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "argon2id:m=7168,t=5,p=1",
                "argon2id:m=47104,t=1,p=1",
                "argon2id:m=1048576,t=4,p=1",
                "scrypt:ln=13,r=8,p=10",
                "scrypt:ln=18,r=8,p=4",
                "bcrypt:cost=16",
                "pbkdf2-sha256:i=10000000"
            })
    void specAtAFloorOrACeiling_isTaken(String text) {
        assertThat(HashSpec.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"noop", "md4", "md5"})
    void dangerousFormat_isNeverWritten_andTheRefusalSaysWhy(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HashSpec.of(name))
                .withMessage(name + " is never written: it hardly protects a password");
    }
}
