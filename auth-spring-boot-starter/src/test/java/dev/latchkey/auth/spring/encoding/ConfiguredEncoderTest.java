package dev.latchkey.auth.spring.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.PasswordProblem;
import dev.latchkey.auth.password.migration.policy.PasswordPolicy;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.testsupport.LogLines;
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

    private static final String NOTICE = "WARNING: A stored password hash matches no password: ";

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

    /** Each hash is checked twice, and the log has the reason once. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                OF_ARGON2 + " | argon2 needs org.bouncycastle:bcprov-jdk18on, which is not used here",
                "{noop}the-plain-text | noop is not read unless asked for: ",
                "the-plain-text | no format that is read here has such a text; the account needs a new password"
            })
    void hashThatIsNotRead_matchesNoPassword_andTheLogSaysWhy(String stored, String reason) {
        try (LogLines log = LogLines.of(PasswordEncoders.class)) {
            service.withPropertyValues("latchkey.password.encoding=bcrypt")
                    .run(context -> assertMatchesNothing(stored, context.getBean(PasswordEncoder.class)));
            assertThat(log.all()).hasSize(1);
            assertThat(log.all().get(0)).startsWith(NOTICE + reason).doesNotContain(stored);
        }
    }

    @Test
    void hashOfAnotherSystem_matches_whereTheMigrationModuleIsThere() {
        service.withPropertyValues("latchkey.password.encoding=bcrypt")
                .run(context -> assertThat(
                                context.getBean(PasswordEncoder.class).matches("a", OF_MYSQL))
                        .isTrue());
    }

    @Test
    void hashOfAnotherSystem_isMetWithoutTheMigrationModule_andTheLogSaysWhatToAdd() {
        try (LogLines log = LogLines.of(PasswordEncoders.class)) {
            service.withClassLoader(new FilteredClassLoader("dev.latchkey.auth.password.migration"))
                    .withPropertyValues("latchkey.password.encoding=bcrypt")
                    .run(context -> assertMatchesNothing(OF_MYSQL, context.getBean(PasswordEncoder.class)));
            assertThat(log.all())
                    .containsExactly(NOTICE + "no format that is read here has such a text;"
                            + " dev.latchkey:auth-password-migration reads those of other systems");
        }
    }

    private static void assertMatchesNothing(String stored, PasswordEncoder encoder) {
        assertThat(encoder.matches("the-plain-text", stored)).isFalse();
        assertThat(encoder.matches(PASSWORD, stored)).isFalse();
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

    /** The mistake of a rolling update: the file of the new pepper is missing at this node. */
    @Test
    void hashUnderAnUnknownPepper_matchesNoPassword_andTheLogSaysWhy() throws Exception {
        try (LogLines log = LogLines.of(PasswordEncoders.class)) {
            service.withPropertyValues(
                            "latchkey.password.encoding=bcrypt",
                            "latchkey.password.pepper-files.2025=" + file("old.key", TWO_LINES))
                    .run(context -> {
                        PasswordEncoder encoder = context.getBean(PasswordEncoder.class);
                        assertMatchesNothing("{pepper@2026}" + encoder.encode(PASSWORD), encoder);
                    });
            assertThat(log.all()).containsExactly(NOTICE + "hashed under a pepper key that is not there");
        }
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
