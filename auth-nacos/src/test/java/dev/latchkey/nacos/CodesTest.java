package dev.latchkey.nacos;

import static dev.latchkey.nacos.AuthenticatorApp.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second step of some accounts, with the secret of RFC 6238's examples. */
final class CodesTest {

    private static final String SECRET = AuthenticatorApp.SECRET;

    @TempDir
    private Path folder;

    private final FakeUsers users = new FakeUsers()
            .with("nacos", PluginParts.BCRYPT.encode("right"))
            .with("bob", PluginParts.BCRYPT.encode("right"));
    private @Nullable PluginParts parts;

    @BeforeEach
    void start() throws Exception {
        write("# administrators\n\nnacos " + SECRET + "\n");
        parts = parts();
    }

    @AfterEach
    void close() {
        if (parts != null) {
            parts.close();
        }
    }

    @Test
    void accountInTheFile_needsACodeInItsFieldOrBehindThePassword() {
        assertThat(login("nacos", "right", null)).isEmpty();
        assertThat(login("nacos", "right", "")).isEmpty();
        assertThat(login("nacos", "right", code(0))).isPresent();
        assertThat(login("nacos", "right" + code(1), null)).isPresent();
        assertThat(login("bob", "right", null)).isPresent();
    }

    /** MySQL ignores case by default. Such a name has no line in the file, and would miss the logout of its user. */
    @Test
    void anotherSpellingOfTheName_isUnknown() {
        users.ignoresCase = true;
        assertThat(login("NACOS", "right", null)).isEmpty();
        assertThat(login("NACOS", "right", code(0))).isEmpty();
        assertThat(login("Bob", "right", null)).isEmpty();
        assertThat(login("nacos", "right", code(0))).isPresent();
        assertThat(login("bob", "right", null)).isPresent();
    }

    @Test
    void accountOfADirectory_cutsNoPasswordOfTheServersUserOfTheSameName() throws Exception {
        users.with("bob", PluginParts.BCRYPT.encode("summer202512"));
        write("ldap:bob " + SECRET + "\n");

        assertThat(login("bob", "summer202512", null)).isPresent();
    }

    @Test
    void accountOfADirectory_hasItsCodeBehindThePassword() throws Exception {
        write("ldap:ada " + SECRET + "\n");
        try (Directory directory = Directory.start().with("ada", "right", "none");
                PluginParts both = new PluginParts(
                        ownWith(directory), users, new FakeRoles(), InstantSource.system(), Ticker.systemTicker())) {
            assertThat(within(() -> both.logins.login("ada", "right" + code(0), null)))
                    .isPresent();
        }
    }

    /** A directory ignores case. */
    @Test
    void accountOfADirectory_hasItsCodeBehindThePassword_inAnotherSpellingToo() throws Exception {
        write("ldap:ada " + SECRET + "\n");
        try (Directory directory = Directory.start().with("ada", "right", "none");
                PluginParts both = new PluginParts(
                        ownWith(directory), users, new FakeRoles(), InstantSource.system(), Ticker.systemTicker())) {
            assertThat(within(() -> both.logins.login("Ada", "right" + code(0), null)))
                    .isPresent();
        }
    }

    private Map<String, String> ownWith(Directory directory) {
        Map<String, String> own =
                new HashMap<>(Map.of("sources", "users,ldap,codes", "plugin.codes.file", file().toString()));
        directory.settings().forEach((key, value) -> own.put("plugin.ldap." + key, value));
        return own;
    }

    @Test
    void code_countsOnce_andNoneOfBefore() {
        String next = code(1);
        assertThat(login("nacos", "right", next)).isPresent();

        assertThat(login("nacos", "right", next)).isEmpty();
        assertThat(login("nacos", "right", code(0))).isEmpty();
    }

    @Test
    void codeOfAnotherPeriod_isRefused() {
        assertThat(login("nacos", "right", code(-3))).isEmpty();
        assertThat(login("nacos", "right", code(3))).isEmpty();
    }

    @Test
    void rightCodeWithAWrongPassword_isRefused_andIsNotUsedUp() {
        String code = code(0);
        assertThat(login("nacos", "wrong", code)).isEmpty();

        assertThat(login("nacos", "right", code)).isPresent();
    }

    @Test
    void codeInTheSecondOfALogoutOfAll_isNotUsedUp() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now().truncatedTo(ChronoUnit.SECONDS));
        try (PluginParts stopped = parts(now::get)) {
            stopped.logins.logoutAll("nacos");
            String code = code(0);
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> within(() -> stopped.logins.login("nacos", "right", code)))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD));

            now.set(now.get().plusSeconds(1));
            assertThat(within(() -> stopped.logins.login("nacos", "right", code)))
                    .isPresent();
        }
    }

    @Test
    void guessedCodes_areLimited() {
        for (int i = 0; i < 5; i++) {
            assertThat(login("nacos", "right", "not-" + i)).isEmpty();
        }

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("nacos", "right", code(0)))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.THROTTLED));
    }

    @Test
    void requestWithAPassword_isRefusedForSuchAnAccount() {
        assertThat(within(() -> logins().byPassword("nacos", "right"))).isEmpty();
        assertThat(within(() -> logins().byPassword("nacos", "right" + code(0))))
                .isEmpty();
        assertThat(within(() -> logins().byPassword("bob", "right"))).isPresent();
    }

    @Test
    void fileThatIsGone_letsNobodyIn() throws Exception {
        Files.delete(file());

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("nacos", "right", code(0)))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE));
    }

    /** An editor may empty the file before the editor writes the file. A script may write an unset variable. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \t\n\n"})
    void fileOfBlankLines_letsNobodyIn(String text) throws Exception {
        write(text);

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("nacos", "right", null))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE));
    }

    @Test
    void changedFile_countsAtOnce() throws Exception {
        write("# nobody\n");

        assertThat(login("nacos", "right", null)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nacos", "nacos SHORT", "nacos GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1", "nacos " + SECRET + " x"})
    void lineThatIsWrong_stopsTheStart_withoutItsSecret(String line) throws Exception {
        write(line);

        assertThatIllegalArgumentException()
                .isThrownBy(this::parts)
                .withMessageContaining("line 1")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("GEZDG"));
    }

    /** The mark would be a part of the first account's name, and the account would need no code. */
    @Test
    void byteOrderMark_stopsTheStart() throws Exception {
        write("\uFEFFnacos " + SECRET);

        assertThatIllegalArgumentException().isThrownBy(this::parts).withMessageContaining("U+FEFF");
    }

    private PluginParts parts() {
        return parts(InstantSource.system());
    }

    private PluginParts parts(InstantSource clock) {
        return new PluginParts(
                Map.of("sources", "users,codes", "plugin.codes.file", file().toString()),
                users,
                new FakeRoles(),
                clock,
                Ticker.systemTicker());
    }

    private NacosLogins logins() {
        return java.util.Objects.requireNonNull(parts).logins;
    }

    private Path file() {
        return folder.resolve("codes");
    }

    private void write(String text) throws Exception {
        Files.writeString(file(), text);
    }

    private Optional<NacosLogins.Login> login(String username, String password, @Nullable String code) {
        return within(() -> logins().login(username, password, code));
    }

    private static <T> T within(java.util.function.Supplier<T> work) {
        return CurrentCall.of("192.0.2.1", TrustedProxies.none()).within(work);
    }

    /** RFC 6238 appendix B: 94287082 at 59 seconds, of which an app shows the last six digits. */
    @Test
    void code_isThatOfTheRfc() {
        assertThat(AuthenticatorApp.codeAt(1)).isEqualTo("287082");
    }
}
