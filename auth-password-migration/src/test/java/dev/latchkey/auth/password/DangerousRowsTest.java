package dev.latchkey.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.HashInfo.Standing;
import dev.latchkey.auth.password.migration.DangerousFormat;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Formats with hardly any protection are read on request alone. */
class DangerousRowsTest {

    private static final String PASSWORD = "correct horse";

    private static final PasswordEncoders ENCODERS = Foreign.encoders();

    static Stream<List<String>> dangerousRows() {
        return Stream.of(
                List.of("PLAIN_TEXT", "{noop}" + PASSWORD),
                List.of("MD5", "{MD5}{abc}eac227db96bb7a9cf4ae5ad2e1e93fa7"),
                List.of("MD5", "{MD5}PLTnMmMfR+brlh80VUt83g=="),
                List.of("MD5", "3cb4e732631f47e6eb961f34554b7cde"),
                List.of("MD4", "{MD4}" + springMd4()));
    }

    @SuppressWarnings("deprecation")
    private static String springMd4() {
        return new org.springframework.security.crypto.password.Md4PasswordEncoder().encode(PASSWORD);
    }

    @ParameterizedTest
    @MethodSource("dangerousRows")
    void dangerousRow_isRefusedUnlessAskedFor(List<String> row) {
        DangerousFormat format = DangerousFormat.valueOf(row.get(0));
        PasswordEncoders asked = ENCODERS.reading(ForeignFormats.all().readingDangerously(format));

        assertThat(ENCODERS.matches(PASSWORD, row.get(1))).isFalse();
        assertThat(ENCODERS.identify(row.get(1)).standing()).isEqualTo(Standing.REFUSED);
        assertThat(ENCODERS.identify(row.get(1)).reason()).contains(format.danger(), "readingDangerously");
        assertThat(asked.matches(PASSWORD, row.get(1))).isTrue();
        assertThat(asked.matches(PASSWORD + "!", row.get(1))).isFalse();
        assertThat(asked.upgradeEncoding(row.get(1))).isTrue();
    }

    @Test
    void bcryptInAnotherSystemsSpelling_isReplaced() {
        HashInfo info = PasswordEncoders.identifyingOnly(HashSpec.of("bcrypt"))
                .reading(ForeignFormats.all())
                .identify("{CRYPT}$2b$10$" + "A".repeat(53));

        assertThat(info.standing()).isEqualTo(Standing.UPGRADE);
        assertThat(info.reason()).doesNotContain("costs less");
    }

    @Test
    void formatsOfOtherSystems_areReadOnlyWhereTheyAreGiven() {
        String row = "*667F407DE7C6AD07358FA38DAED7828A72014B4E";

        assertThat(ENCODERS.matches("a", row)).isTrue();
        assertThat(Cheap.encoders().matches("a", row)).isFalse();
        assertThat(Cheap.encoders().identify(row).standing()).isEqualTo(Standing.UNKNOWN);
        assertThat(Cheap.encoders().identify(row).reason()).contains("auth-password-migration");
    }
}
