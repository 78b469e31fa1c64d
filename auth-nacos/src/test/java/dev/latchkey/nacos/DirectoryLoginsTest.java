package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.source.TrustedProxies;
import dev.latchkey.nacos.NacosLogins.Login;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The server's users and a real directory in one chain, with the real LDAP plugin. */
final class DirectoryLoginsTest {

    private static final String RIGHT = "right-password";

    private final Directory directory = Directory.start()
            .with("ada", "password-of-ada", "payments", "developers")
            .with("nacos", "password-of-another-nacos", "none")
            .with("eve", "password-of-eve", "none");
    private final FakeUsers users = new FakeUsers()
            .with("nacos", PluginParts.BCRYPT.encode(RIGHT))
            .with("bob", PluginParts.BCRYPT.encode(RIGHT));
    private final FakeRoles roles = new FakeRoles();
    private final Map<String, String> own = new HashMap<>(Map.of("sources", "users,ldap"));
    private Instant now = Instant.now();
    private Duration passed = Duration.ZERO;
    private PluginParts parts;

    DirectoryLoginsTest() {
        roles.addAdminRole("nacos");
        directory.settings().forEach((key, value) -> own.put("plugin.ldap." + key, value));
        own.put("role.developers", "ldap:ROLE_DEVELOPERS");
        own.put("role.cashiers", "ldap:team=payments");
        parts = parts();
    }

    @AfterEach
    void close() {
        parts.close();
        directory.close();
    }

    @Test
    void subjectOfTheDirectory_isNamedByItsSource_andHasTheRolesOfItsFacts() {
        LatchkeyUser ada = login("ada", "password-of-ada").orElseThrow().user();

        assertThat(ada.getUserName()).isEqualTo("ldap:ada");
        assertThat(ada.mappedRoles()).containsExactlyInAnyOrder("developers", "cashiers");
        assertThat(ada.isGlobalAdmin()).isFalse();
        assertThat(byToken(ada.getToken()).mappedRoles()).containsExactlyInAnyOrder("developers", "cashiers");
    }

    @Test
    void subjectWithoutARule_hasNoRole() {
        assertThat(login("eve", "password-of-eve").orElseThrow().user().mappedRoles())
                .isEmpty();
    }

    @Test
    void administratorOfTheServer_isNobodyElse() {
        assertThat(login("nacos", "password-of-another-nacos")).isEmpty();
        LatchkeyUser nacos = login("nacos", RIGHT).orElseThrow().user();
        assertThat(nacos.getUserName()).isEqualTo("nacos");
        assertThat(nacos.isGlobalAdmin()).isTrue();

        users.table.remove("nacos");
        LatchkeyUser other =
                login("nacos", "password-of-another-nacos").orElseThrow().user();
        assertThat(other.getUserName()).isEqualTo("ldap:nacos");
        assertThat(other.isGlobalAdmin()).isFalse();
    }

    @Test
    void roleOfAdministrators_isGivenByARuleAlone() {
        own.put("role.ROLE_ADMIN", "ldap:ROLE_DEVELOPERS");
        restart();

        assertThat(login("ada", "password-of-ada").orElseThrow().user().isGlobalAdmin())
                .isTrue();
        assertThat(login("eve", "password-of-eve").orElseThrow().user().isGlobalAdmin())
                .isFalse();
    }

    @Test
    void userOfTheServerWithTheNameOfASubject_cannotLogIn() {
        users.with("ldap:ada", PluginParts.BCRYPT.encode(RIGHT));

        assertThat(login("ldap:ada", RIGHT)).isEmpty();
        String token = parts.tokens
                .issue(PluginParts.login("ldap:ada", users.table.get("ldap:ada")))
                .orElseThrow();
        assertThat(parts.logins.byToken(token)).isEmpty();
    }

    @Test
    void changedPasswordInTheDirectory_endsTheTokens() {
        String token = tokenOfAda();
        directory.changePassword("ada", "another-password");

        assertThat(parts.logins.byToken(token)).isPresent();
        pass(Duration.ofSeconds(16));
        // The first one has the answer of before, and asks again.
        Optional<Login> unused = parts.logins.byToken(token);
        assertThat(parts.logins.byToken(token)).isEmpty();
    }

    @Test
    void accountThatIsGone_hasNoTokenAfterAMinute() {
        String token = tokenOfAda();
        directory.remove("ada");
        pass(Duration.ofSeconds(61));

        assertThat(parts.logins.byToken(token)).isEmpty();
    }

    /** A cached password is right until its expiry. The account's state decides all the same. */
    @Test
    void cachedPasswordOfAnAccountThatIsGone_isNoLogin_andRevivesNoToken() {
        String token = tokenOfAda();
        directory.remove("ada");
        pass(Duration.ofSeconds(61));

        assertThat(login("ada", "password-of-ada")).isEmpty();
        assertThat(parts.logins.byToken(token)).isEmpty();
    }

    @Test
    void leftGroup_takesItsRoleAway() {
        String token = tokenOfAda();
        directory.leaveGroup("developers");
        pass(Duration.ofSeconds(61));

        assertThat(byToken(token).mappedRoles()).containsExactly("cashiers");
        // By the cached password, with the groups of before.
        assertThat(login("ada", "password-of-ada").orElseThrow().user().mappedRoles())
                .containsExactly("cashiers");
        assertThat(byToken(token).mappedRoles()).containsExactly("cashiers");
    }

    @Test
    void directoryThatIsDown_leavesTheServersUsersAndTheTokensIn() {
        String token = tokenOfAda();
        directory.stop();
        pass(Duration.ofSeconds(61));

        assertThat(login("bob", RIGHT)).isPresent();
        assertThat(login("bob", "wrong")).isEmpty();
        assertThat(byToken(token).mappedRoles()).containsExactlyInAnyOrder("developers", "cashiers");
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("eve", "password-of-eve"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE));
        // Remembered, and from where ada has logged in.
        assertThat(login("ada", "password-of-ada")).isPresent();

        directory.startAgain();
        assertThat(login("eve", "password-of-eve")).isPresent();
    }

    @Test
    void outage_costsNoGuess_andGuessesAreLimitedAsForTheServersUsers() {
        directory.stop();
        for (int i = 0; i < 7; i++) {
            String guess = "guess" + i;
            assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(() -> login("eve", guess));
        }
        directory.startAgain();
        for (int i = 0; i < 5; i++) {
            assertThat(login("eve", "guess" + i)).isEmpty();
        }

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("eve", "password-of-eve"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.THROTTLED));
        assertThat(within("192.0.2.9", () -> parts.logins.login("eve", "password-of-eve", null)))
                .isPresent();
    }

    @Test
    void logout_endsOneToken_andAnAdministratorsEndsAll() {
        String ended = tokenOfAda();
        String other = tokenOfAda();
        assertThat(parts.logins.logout(ended)).isTrue();
        assertThat(parts.logins.byToken(ended)).isEmpty();
        assertThat(parts.logins.byToken(other)).isPresent();

        parts.logins.logoutAll("ldap:ada");
        assertThat(parts.logins.byToken(other)).isEmpty();
        now = now.plusSeconds(2);
        assertThat(parts.logins.byToken(tokenOfAda())).isPresent();
    }

    @Test
    void tokenOfASourceThatWasTakenAway_isRefused() {
        String token = tokenOfAda();
        own.keySet().removeIf(name -> name.startsWith("plugin.") || name.startsWith("role."));
        own.put("sources", "users");
        restart();

        assertThat(parts.logins.byToken(token)).isEmpty();
    }

    @Test
    void tokenOfTheServersUser_isRefusedWhereTheyAreNoSource() {
        String token = login("bob", RIGHT).orElseThrow().user().getToken();
        own.put("sources", "ldap");
        restart();

        assertThat(parts.logins.byToken(token)).isEmpty();
        assertThat(login("bob", RIGHT)).isEmpty();
        assertThat(login("ada", "password-of-ada")).isPresent();
    }

    @Test
    void ruleThatWasTakenAway_countsForTokensOfBefore() {
        String token = tokenOfAda();
        own.remove("role.cashiers");
        restart();

        assertThat(byToken(token).mappedRoles()).containsExactly("developers");
    }

    @Test
    void sourceThatIsUnknown_isNamedWithThoseThatThereAre() {
        own.put("sources", "users,ldap,kerberos");

        assertThatIllegalArgumentException()
                .isThrownBy(this::parts)
                .withMessageContainingAll("kerberos", "ldap", "oidc", "users");
    }

    private PluginParts parts() {
        return new PluginParts(own, users, roles, () -> now, () -> passed.toNanos());
    }

    private void restart() {
        parts.close();
        parts = parts();
    }

    private void pass(Duration time) {
        passed = passed.plus(time);
        now = now.plus(time);
    }

    private String tokenOfAda() {
        return login("ada", "password-of-ada").orElseThrow().user().getToken();
    }

    private LatchkeyUser byToken(String token) {
        NacosUser user = parts.logins.byToken(token).orElseThrow().user();
        return (LatchkeyUser) user;
    }

    private Optional<Login> login(String username, String password) {
        return within("192.0.2.1", () -> parts.logins.login(username, password, null));
    }

    private static <T> T within(String address, Supplier<T> work) {
        return CurrentCall.of(address, TrustedProxies.none()).within(work);
    }
}
