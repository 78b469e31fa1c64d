package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.hash.Digest;
import dev.latchkey.auth.password.hash.Pbkdf2Format.Prf;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of other systems, beside the hashes of {@link RealToolHashesTest}. */
class FurtherFormatsTest {

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

    static Stream<RealToolHashesTest.MadeHash> hashesOfOtherSystems() {
        return RealToolHashesTest.hashes().stream()
                .filter(made -> made.password().equals("a") && !made.tool().startsWith("argon2"));
    }

    /** No row of another system counts as current, for any costs. */
    @ParameterizedTest
    @MethodSource("hashesOfOtherSystems")
    void rowOfAnotherSystem_isReplaced(RealToolHashesTest.MadeHash made) {
        assertThat(ENCODERS.upgradeEncoding(made.hash())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{SSHA}TmX8LrrVRFvgTaP2MUaAdeNc2yP7XyuF",
                "*667F407DE7C6AD07358FA38DAED7828A72014B4E",
                "0x01000102030400112233445566778899AABBCCDDEEFF00112233",
                "S:0011223344556677889900112233445566778899AABBCCDDEEFF00112233",
                "sha1$salt$0000000000000000000000000000000000000000"
            })
    void fastDigest_isNamedAsSuch(String row) {
        assertThat(ENCODERS.identify(row).standing()).isEqualTo(Standing.UPGRADE);
        assertThat(ENCODERS.identify(row).reason()).startsWith("a fast digest: ");
    }

    @Test
    void iteratedDigest_isNotCalledFast() {
        assertThat(ENCODERS.identify("$1$saltsalt$TLa2BdF/JzVHtgHZxXDjI0").reason())
                .isEqualTo("not bcrypt");
    }

    /** The first four by mkpasswd. */
    @ParameterizedTest
    @CsvSource({
        "$y$j9T$Z2RwmYtb8iklYuZmiNanG/$792TurSSWHeq8TFLokAM7t4jdqu23X4ys2PB/PdF.q5, yescrypt",
        "$gy$j9T$rO0TaIrv5os78CNxCSJm9/$VDR/r4jBkC1Nx8db3WhYNlV9CtFRH7VqxyJbrY3jJU7, gost-yescrypt",
        "{CRYPT}$y$j9T$Z2RwmYtb8iklYuZmiNanG/$792TurSSWHeq8TFLokAM7t4jdqu23X4ys2PB/PdF.q5, yescrypt",
        "$7$CU..../....PSwWghPHjeOXQ56vPtk1U.$Gb6i5quIN4ZssMXU7R2D/cH.fqzPtpJc20J9HuecGD9, scrypt of crypt(3)",
        "{CRYPT}rEK1ecacw.7.c, des-crypt"
    })
    void formatThatIsNotRead_isNamed_andSaysWhatToDo(String row, String algorithm) {
        HashInfo info = ENCODERS.identify(row);

        assertThat(info.algorithm()).isEqualTo(algorithm);
        assertThat(info.standing()).isEqualTo(Standing.REFUSED);
        assertThat(info.reason()).contains("the account needs a new ");
        assertThat(ENCODERS.matches("a", row)).isFalse();
    }

    /** Both sides of each ceiling. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "$sha1$2000000$salt$ # 28 # $sha1$2000001$salt$",
                "$S$I # 51 # $S$J",
                "U$S$I # 51 # U$S$J",
                "{FSHP1|0|2000000} # 43 # {FSHP1|0|2000001}",
                "{PBKDF2}10000000$c2FsdA$ # 27 # {PBKDF2}10000001$c2FsdA$",
                "{PBKDF2-SHA256}10000000$c2FsdA$ # 43 # {PBKDF2-SHA256}10000001$c2FsdA$",
                "$p5k2$4c4b40$salt$ # 32 # $p5k2$4c4b41$salt$",
                "$p5k2$4c4b40$salt$ # 32 # $p5k2$ffffffff$salt$",
                "pbkdf2:sha256:10000000$salt$ # 64 # pbkdf2:sha256:10000001$salt$",
                "grub.pbkdf2.sha512.10000000.00. # 128 # grub.pbkdf2.sha512.99999999999.00.",
                "scrypt:262144:8:1$salt$ # 128 # scrypt:262144:9:1$salt$",
                "$bcrypt-sha256$v=2,t=2b,r=16$AAAAAAAAAAAAAAAAAAAAAA$ # 31 # $bcrypt-sha256$v=2,t=2b,r=17$AAAAAAAAAAAAAAAAAAAAAA$",
                "$wp$2y$16$ # 53 # $wp$2y$17$",
                "SCRAM-SHA-1$10000000:c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=: # 27 # SCRAM-SHA-1$10000001:c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAA=:",
                "$fbscrypt$v=1,n=18,r=8,p=1,ss=Bw==,sk=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=$c2FsdA==$ # 43 # $fbscrypt$v=1,n=31,r=8,p=1,ss=Bw==,sk=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=$c2FsdA==$"
            })
    void rowAtACeiling_isRead_andTheNextOneIsRefused(String at, int hashCharacters, String beyond) {
        PasswordEncoders encoders =
                PasswordEncoders.identifyingOnly(HashSpec.of("bcrypt")).reading(ForeignFormats.all());
        String hash = (at.contains(":sha256:") || at.startsWith("grub") || at.startsWith("scrypt:") ? "0" : "A")
                .repeat(hashCharacters);

        assertThat(encoders.identify(at + hash).standing()).isEqualTo(Standing.UPGRADE);
        assertThat(encoders.identify(beyond + hash).reason()).startsWith("beyond the ceiling: ");
    }

    @ParameterizedTest
    @CsvSource({"10000000, 1, UPGRADE", "10000001, 1, REFUSED", "-1, 1, REFUSED", "0, 1, REFUSED", "1000, 3, REFUSED"})
    void aspNetIdentity_hasItsNumbersInItsBytes(int rounds, int digest, Standing standing) {
        byte[] row = new byte[61];
        row[0] = 1;
        row[4] = (byte) digest;
        row[5] = (byte) (rounds >> 24);
        row[6] = (byte) (rounds >> 16);
        row[7] = (byte) (rounds >> 8);
        row[8] = (byte) rounds;
        row[12] = 16;

        assertThat(ENCODERS.identify(Base64.getEncoder().encodeToString(row)).standing())
                .isEqualTo(standing);
    }

    /** RFC 4013 section 3: a soft hyphen disappears, a Roman numeral becomes letters, and special spaces become a space. */
    @ParameterizedTest
    @CsvSource({"I\u00adX, IX", "\u2168, IX", "a\u3000b, a b", "\uff41, a", "e\u0301, \u00e9"})
    void passwordOfScram_isPreparedAsSaslprepDoes(String typed, String prepared) {
        byte[] salt = "salt".getBytes(StandardCharsets.US_ASCII);
        byte[] key = Prf.SHA256.derive(prepared.getBytes(StandardCharsets.UTF_8), salt, 10, 32);
        byte[] stored = Digest.SHA256.hash(Digest.SHA256.hmac(key, "Client Key".getBytes(StandardCharsets.US_ASCII)));
        String text = Base64.getEncoder().encodeToString(stored);
        String row = "SCRAM-SHA-256$10:c2FsdA==$" + text + ":" + text;

        assertThat(ENCODERS.matches(typed, row)).isTrue();
        assertThat(ENCODERS.matches(prepared, row)).isTrue();
        assertThat(ENCODERS.matches(typed + "x", row)).isFalse();
    }

    @Test
    void scramAsAnLdapServerWritesIt_mayHaveSpaces() {
        String made = RealToolHashesTest.hashes().stream()
                .filter(row -> row.tool().equals("scramp SCRAM-SHA-1")
                        && row.password().equals("a"))
                .findFirst()
                .orElseThrow()
                .hash();

        assertThat(ENCODERS.matches("a", made.replace("$", " $ "))).isTrue();
    }

    /** The example of its README. */
    @Test
    void firebasesPublishedHash_matches() {
        String row = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,"
                + "sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$"
                + "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";

        assertThat(ENCODERS.matches("user1password", row)).isTrue();
        assertThat(ENCODERS.matches("user2password", row)).isFalse();
    }

    /** A label is the account's own text. */
    @Test
    void labelOfAKeycloakCredential_standsForNoMember() {
        String made = keycloaks("keycloak argon2");
        String labelled = made.replace(
                "\"type\":\"password\"",
                "\"type\":\"password\",\"userLabel\":\"\\\"secretData\\\":\\\"{}\\\",\\\"credentialData\\\":\\\"{}\\\"\"");

        assertThat(labelled).isNotEqualTo(made);
        assertThat(ENCODERS.matches("a", labelled)).isTrue();
        assertThat(ENCODERS.matches("b", labelled)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"secretData", "secretData: ", "\\\\", "\\\"value\\\":\\\"x\\\""})
    void labelOfAnyText_isNotLookedAt(String label) {
        String made = keycloaks("keycloak pbkdf2-sha512");

        assertThat(ENCODERS.matches("a", made.replace("{\"id\"", "{ \"userLabel\":\"" + label + "\",\"id\"")))
                .isTrue();
    }

    private static String keycloaks(String tool) {
        return RealToolHashesTest.hashes().stream()
                .filter(row -> row.tool().equals(tool) && row.password().equals("a"))
                .findFirst()
                .orElseThrow()
                .hash();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"",
                "{\"}",
                "{ }",
                "{\"secretData\":\"{}\",\"credentialData\":\"{}\"}",
                "{\"credentialData\":\"{\\\"algorithm\\\":\\\"bcrypt\\\"}\"}",
                "{\"credentialData\":\"{\\\"algorithm\\\":\\\"argon2\\\"}\"}",
                "{FSHP",
                "{FSHP1|4294967295|1}AAAAAAAAAAAAAAAAAAAAAA==",
                "{FSHP9|16|1}AAAAAAAAAAAAAAAAAAAAAA==",
                "$p5k2$zz$salt$" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "SCRAM-SHA-224$1:a$b:c",
                "SCRAM-SHA-256$0:c2FsdA==$AAAA:AAAA",
                "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=$c2FsdA==$",
                "$firescrypt$ln=14,r=8,p=1$$$$",
                "$wp$2y$",
                "$wp$P$B",
                "0x0100zz",
                "S:",
                "U$S$"
            })
    void damagedRow_matchesNothing(String row) {
        assertThat(ENCODERS.identify(row).standing()).isIn(Standing.REFUSED, Standing.UNKNOWN);
        assertThat(ENCODERS.matches("a", row)).isFalse();
    }
}
