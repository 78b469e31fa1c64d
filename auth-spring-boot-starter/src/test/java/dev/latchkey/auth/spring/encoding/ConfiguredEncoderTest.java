package dev.latchkey.auth.spring.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.PasswordProblem;
import dev.latchkey.auth.password.migration.policy.PasswordPolicy;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The encoder and the policy of {@code latchkey.password}; Bouncy Castle is not on the class path of these tests. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
@Tag("long")
class ConfiguredEncoderTest {

    private static final String PASSWORD = Services.PASSWORD;

    /** 48 bytes in two lines, as tools break them. */
    private static final String TWO_LINES = "q83vEjRWeJCrze8SNFZ4kKvN7xI0Vniq\nq83vEjRWeJCrze8SNFZ4kKvN7xI0Vnia\n";

    private static final String ONE_LINE =
            TWO_LINES.replace("\n", "").replace('+', '-').replace('/', '_');

    private final WebApplicationContextRunner service = Services.web();

    private static final String OF_ARGON2 =
            "{argon2}$argon2id$v=19$m=16,t=2,p=1$c29tZXNhbHRzb21l$aGFzaGhhc2hoYXNoaGFzaA";

    /** Of the password "a". */
    private static final String OF_MYSQL = "*667F407DE7C6AD07358FA38DAED7828A72014B4E";

    @TempDir
    Path folder;

    @Test
    void withoutTheProperty_thereIsNoEncoderAndNoPolicy() {
        service.run(context ->
                assertThat(context).doesNotHaveBean(PasswordEncoder.class).doesNotHaveBean(PasswordPolicy.class));
    }

    @Test
    void encoding_isAnEncoderBehindTheCache() {
        service.withPropertyValues("latchkey.password.encoding=bcrypt:cost=11").run(context -> {
            PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
            String hash = encoder.encode(PASSWORD);
            assertThat(hash).startsWith("{bcrypt}$2b$11$");
            assertThat(encoder.matches(PASSWORD, hash)).isTrue();
            assertThat(encoder)
                    .isInstanceOfSatisfying(
                            LoginEncoder.class,
                            login -> assertThat(login.isCached()).isTrue());
        });
    }

    @Test
    void nameAlone_hasTheRecommendedCosts() {
        service.withPropertyValues("latchkey.password.encoding=bcrypt")
                .run(context -> assertThat(
                                context.getBean(PasswordEncoder.class).encode(PASSWORD))
                        .startsWith("{bcrypt}$2b$10$"));
    }

    @Test
    void hashOfArgon2_isMetWithoutBouncyCastle_andTheLogSaysOnceWhatToAdd(CapturedOutput output) {
        service.withPropertyValues("latchkey.password.encoding=bcrypt").run(context -> {
            PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
            assertThat(encoder.matches(PASSWORD, encoder.encode(PASSWORD))).isTrue();
            assertThat(encoder.matches("wrong", encoder.encode(PASSWORD))).isFalse();
            assertThat(encoder.matches(PASSWORD, null)).isFalse();
            assertThat(output).doesNotContain("bcprov");
            assertThat(encoder.matches(PASSWORD, OF_ARGON2)).isFalse();
            assertThat(encoder.matches(PASSWORD, "{scrypt}" + OF_ARGON2)).isFalse();
        });
        assertThat(output)
                .containsOnlyOnce("A stored password hash is of argon2, and matches no password without"
                        + " org.bouncycastle:bcprov-jdk18on")
                .containsOnlyOnce("bcprov")
                .doesNotContain(OF_ARGON2);
    }

    @Test
    void hashOfAnotherSystem_matches_whereTheMigrationModuleIsThere(CapturedOutput output) {
        service.withPropertyValues("latchkey.password.encoding=bcrypt")
                .run(context -> assertThat(
                                context.getBean(PasswordEncoder.class).matches("a", OF_MYSQL))
                        .isTrue());
        assertThat(output).doesNotContain("auth-password-migration");
    }

    @Test
    void hashThatIsRefused_matchesNoPassword_andTheLogSaysEachReasonOnce(CapturedOutput output) {
        service.withPropertyValues("latchkey.password.encoding=bcrypt").run(context -> {
            PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
            assertThat(encoder.matches("wrong", encoder.encode(PASSWORD))).isFalse();
            assertThat(encoder.matches("a", OF_MYSQL)).isTrue();
            assertThat(output).doesNotContain("A stored password hash");
            assertThat(encoder.matches("the-plain-text", "{noop}the-plain-text"))
                    .isFalse();
            assertThat(encoder.matches("the-plain-text", "{noop}the-plain-text"))
                    .isFalse();
            assertThat(encoder.matches("the-plain-text", "the-plain-text")).isFalse();
        });
        assertThat(output)
                .containsOnlyOnce("A stored password hash matches no password: it is of no format that is read here")
                .containsOnlyOnce("A stored password hash matches no password: noop is not read unless asked for")
                .doesNotContain("the-plain-text");
    }

    @Test
    void hashOfNoKnownFormat_matchesNoPassword_andTheLogSaysSoOnce(CapturedOutput output) {
        service.withPropertyValues("latchkey.password.encoding=bcrypt").run(context -> {
            PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
            assertThat(encoder.matches("a", "")).isFalse();
            assertThat(output).doesNotContain("A stored password hash");
            assertThat(encoder.matches("a", "{unknown}hash")).isFalse();
            assertThat(encoder.matches("a", "{unknown}hash")).isFalse();
        });
        assertThat(output)
                .containsOnlyOnce("A stored password hash matches no password: it is of no format that is read here")
                .doesNotContain("{unknown}hash");
    }

    @Test
    void hashOfAnotherSystem_isMetWithoutTheMigrationModule_andTheLogSaysOnceWhatToAdd(CapturedOutput output) {
        service.withClassLoader(new FilteredClassLoader("dev.latchkey.auth.password.migration"))
                .withPropertyValues("latchkey.password.encoding=bcrypt")
                .run(context -> {
                    PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
                    assertThat(encoder.matches(PASSWORD, encoder.encode(PASSWORD)))
                            .isTrue();
                    assertThat(output).doesNotContain("auth-password-migration");
                    assertThat(encoder.matches("a", OF_MYSQL)).isFalse();
                    assertThat(encoder.matches("b", OF_MYSQL)).isFalse();
                });
        assertThat(output).containsOnlyOnce("add dev.latchkey:auth-password-migration to the service");
        assertThat(output).doesNotContain(OF_MYSQL);
    }

    @Test
    void policyWithoutTheMigrationModule_stopsTheStart() {
        service.withClassLoader(new FilteredClassLoader("dev.latchkey.auth.password.migration"))
                .withPropertyValues("latchkey.password.policy.min-length=12")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageContaining("dev.latchkey:auth-password-migration"));
    }

    @Test
    void encoderOfTheService_isKept_andTheLogSaysSo(CapturedOutput output) {
        service.withBean("mine", PasswordEncoder.class, () -> new BCryptPasswordEncoder(4))
                .withPropertyValues("latchkey.password.encoding=bcrypt:cost=12")
                .run(context -> assertThat(
                                context.getBean(PasswordEncoder.class).encode(PASSWORD))
                        .startsWith("$2a$04$"));
        assertThat(output)
                .contains("latchkey.password.encoding=bcrypt:cost=12 is not used, as the service has a password encoder"
                        + " of its own: [mine]");
    }

    @Test
    void encoderOfTheProperties_isNotMentionedAsTheServicesOwn(CapturedOutput output) {
        service.withPropertyValues("latchkey.password.encoding=bcrypt").run(context -> {});
        assertThat(output).doesNotContain("is not used");
    }

    @Test
    void pepper_isReadFromAFileInLinesOrInOne_andAnOldOneIsStillChecked() throws Exception {
        List<String> stored = new ArrayList<>();
        service.withPropertyValues(
                        "latchkey.password.encoding=bcrypt",
                        "latchkey.password.pepper-files.2025=" + file("old.key", TWO_LINES),
                        "latchkey.password.pepper=2025")
                .run(context ->
                        stored.add(context.getBean(PasswordEncoder.class).encode(PASSWORD)));
        assertThat(stored.get(0)).startsWith("{pepper@2025}{bcrypt}");
        service.withPropertyValues(
                        "latchkey.password.encoding=bcrypt",
                        "latchkey.password.pepper-files.2026=" + file("new.key", Services.KEY),
                        "latchkey.password.pepper=2026",
                        "latchkey.password.pepper-files.2025=" + file("same.key", ONE_LINE))
                .run(context -> {
                    PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
                    assertThat(encoder.matches(PASSWORD, stored.get(0))).isTrue();
                    assertThat(encoder.upgradeEncoding(stored.get(0))).isTrue();
                    assertThat(encoder.encode(PASSWORD)).startsWith("{pepper@2026}");
                });
    }

    @Test
    void unicodeNormalization_takesTwoSpellingsForOnePassword() {
        service.withPropertyValues("latchkey.password.encoding=bcrypt", "latchkey.password.unicode-normalization=true")
                .run(context -> {
                    PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
                    assertThat(encoder.matches("cafe\u0301 at the corner", encoder.encode("caf\u00e9 at the corner")))
                            .isTrue();
                });
    }

    @Test
    void policy_refusesWhatTheEncoderDoesNotTake() {
        service.withPropertyValues("latchkey.password.policy.min-length=12", "latchkey.password.encoding=bcrypt")
                .run(context -> {
                    PasswordPolicy policy = context.getBean(PasswordPolicy.class);
                    assertThat(policy.problems("tuba plinth"))
                            .extracting(PasswordProblem::code)
                            .contains("too_short");
                    assertThat(policy.problems("tuba plinth vexed")).isEmpty();
                    assertThat(policy.problems("tuba plinth ".repeat(7)))
                            .extracting(PasswordProblem::code)
                            .containsExactly("too_long");
                });
    }

    @Test
    void policy_isThereWithoutAnEncodingToo() {
        service.withPropertyValues("latchkey.password.policy.min-length=12").run(context -> {
            assertThat(context).hasSingleBean(PasswordPolicy.class).doesNotHaveBean(PasswordEncoder.class);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "encoding=argon2id | latchkey.password.encoding is argon2id, which needs org.bouncycastle:bcprov-jdk18on,",
                "encoding=scrypt | latchkey.password.encoding is scrypt, which needs org.bouncycastle:bcprov-jdk18on,",
                "encoding=bcript | latchkey.password.encoding is 'bcript': There is no such algorithm",
                "encoding=bcrypt:cost=4 | latchkey.password.encoding is 'bcrypt:cost=4': bcrypt needs a cost of 10 to 16",
                "pepper=2026 | latchkey.password.pepper names no file of latchkey.password.pepper-files",
                "pepper-files.a=p.key | latchkey.password says how passwords are hashed, and latchkey.password.encoding is not set",
                "unicode-normalization=true | latchkey.password says how passwords are hashed, and latchkey.password.encoding is not set",
                "policy.min-length= | latchkey.password.policy.min-length is empty",
                "policy.min-length=4 | latchkey.password.policy.min-length: The shortest password has between 8 and 64"
            })
    void valueThatCannotBe_stopsTheStart(String property, String problem) {
        assertRefused(problem, "latchkey.password." + property);
    }

    /** The first of two updates: each node can check the hashes of the second. */
    @Test
    void pepperFileWithoutAPepper_isOnlyChecked() throws Exception {
        String[] known = {
            "latchkey.password.encoding=bcrypt",
            "latchkey.password.pepper-files.2026=" + file("known.key", Services.KEY)
        };
        service.withPropertyValues(known)
                .run(before -> service.withPropertyValues(known)
                        .withPropertyValues("latchkey.password.pepper=2026")
                        .run(after -> {
                            PasswordEncoder checking = before.getBean(PasswordEncoder.class);
                            String peppered =
                                    after.getBean(PasswordEncoder.class).encode("tuba plinth vexed");
                            assertThat(peppered).startsWith("{pepper@2026}");
                            assertThat(checking.matches("tuba plinth vexed", peppered))
                                    .isTrue();
                            assertThat(checking.upgradeEncoding(peppered)).isFalse();
                            assertThat(checking.encode("tuba plinth vexed")).startsWith("{bcrypt}");
                        }));
    }

    @Test
    void pepperThatIsNoKey_stopsTheStart() throws Exception {
        assertRefused(
                "latchkey.password.pepper-files.2026: The key is not Base64",
                "latchkey.password.encoding=bcrypt",
                "latchkey.password.pepper=2026",
                "latchkey.password.pepper-files.2026=" + file("bad.key", "not a key!"));
        assertRefused(
                "latchkey.password.pepper-files.2026: the file cannot be read",
                "latchkey.password.encoding=bcrypt",
                "latchkey.password.pepper=2026",
                "latchkey.password.pepper-files.2026=" + folder.resolve("absent.key"));
    }

    private void assertRefused(String problem, String... properties) {
        service.withPropertyValues(properties)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LatchkeyConfigurationException.class)
                        .hasMessageStartingWith(problem));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
