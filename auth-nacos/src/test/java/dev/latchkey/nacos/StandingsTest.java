package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.nacos.settings.NacosSettings;
import dev.latchkey.nacos.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tokens of a directory's account on two nodes, after a change of the account. */
final class StandingsTest {

    private final AuthUnavailableException down = AuthUnavailableException.outage("The directory does not answer");
    private final Ldap ldap = new Ldap();
    private final AuthChain chain = AuthChain.of(ldap).withSharedSubjects(Set.of(Passwords.NAME));
    private final NacosSettings settings = SettingsReader.read(PluginParts.properties(Map.of("sources", "users,ldap")));
    private final RotatingKeys keys = RotatingKeys.startingWith(settings.signingKey());
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private Duration passed = Duration.ofMillis(400);
    private final AccessTokens one = node();
    private final AccessTokens other = node();

    @AfterEach
    void close() {
        chain.close();
    }

    @Test
    void newTokenAfterANewPassword_isGoodOnTheNodeWithTheOldAnswer_andEndsTheOldToken() {
        String old = one.issue(login()).orElseThrow();
        assertThat(other.check(old)).isPresent();
        passed = passed.plusMillis(100);
        ldap.stamp = "new";
        String fresh = one.issue(login()).orElseThrow();

        assertThat(other.check(fresh)).isPresent();
        assertThat(other.check(old)).isEmpty();
    }

    @Test
    void newTokenOfAnEnabledAccount_isGoodOnTheNodeThatKnowsItAsGone() {
        String old = one.issue(login()).orElseThrow();
        ldap.stamp = "";
        assertThat(other.check(old)).isEmpty();
        ldap.stamp = "new";

        assertThat(other.check(one.issue(login()).orElseThrow())).isPresent();
    }

    @Test
    void oldToken_hasNothingAskedAgain() {
        String old = one.issue(login()).orElseThrow();
        passed = passed.plusSeconds(10);
        ldap.stamp = "new";
        String fresh = one.issue(login()).orElseThrow();
        assertThat(other.check(fresh)).isPresent();
        int before = ldap.questions;

        assertThat(other.check(old)).isEmpty();
        assertThat(ldap.questions).isEqualTo(before);
    }

    /** A source's cache of passwords may answer a login with an account from before a change. */
    @Test
    void loginFromBeforeANewPassword_neitherRevivesATokenNorEndsOne() {
        Authenticated before = login();
        String old = one.issue(before).orElseThrow();
        ldap.stamp = "new";
        passed = passed.plusSeconds(20);
        String fresh = one.issue(login()).orElseThrow();
        assertThat(one.check(fresh)).isPresent();
        passed = passed.plusSeconds(10);

        assertThat(one.check(one.issue(before).orElseThrow())).isEmpty();
        assertThat(one.check(fresh)).isPresent();
        assertThat(one.check(old)).isEmpty();
    }

    @Test
    void sourceThatIsDown_leavesTheLastAnswer() {
        String old = one.issue(login()).orElseThrow();
        assertThat(other.check(old)).isPresent();
        ldap.stamp = "new";
        String fresh = one.issue(login()).orElseThrow();
        ldap.failure = down;

        assertThat(other.check(fresh)).isEmpty();
        assertThat(other.check(old)).isPresent();
    }

    @Test
    void sourceThatIsDown_isAskedOnce() {
        assertThat(other.check(one.issue(login()).orElseThrow())).isPresent();
        ldap.stamp = "new";
        String fresh = one.issue(login()).orElseThrow();
        ldap.failure = down;
        passed = passed.plusSeconds(10);
        int before = ldap.questions;

        assertThat(other.check(fresh)).isEmpty();
        assertThat(other.check(fresh)).isEmpty();
        assertThat(ldap.questions).isEqualTo(before + 1);
    }

    @Test
    void sourceThatWasDown_isAskedAgainAfterASecond() {
        assertThat(other.check(one.issue(login()).orElseThrow())).isPresent();
        ldap.stamp = "new";
        String fresh = one.issue(login()).orElseThrow();
        passed = passed.plusSeconds(10);
        ldap.failure = down;
        assertThat(other.check(fresh)).isEmpty();
        ldap.failure = null;

        passed = passed.plusMillis(999);
        assertThat(other.check(fresh)).isEmpty();
        passed = passed.plusMillis(1);
        assertThat(other.check(fresh)).isPresent();
    }

    /** Callers can cause an overload. An outage leaves tokens valid, but an overload must not revive an ended token. */
    @Test
    void overloadedSource_leavesATokenUndecided_andNothingIsRemembered() {
        String token = one.issue(login()).orElseThrow();
        ldap.stamp = "";
        assertThat(other.check(token)).isEmpty();
        passed = passed.plusSeconds(61);
        ldap.failure = AuthUnavailableException.overload("Too many calls of the directory", Duration.ofSeconds(1));

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> other.check(token))
                .isSameAs(ldap.failure);
        ldap.failure = null;
        assertThat(other.check(token)).isEmpty();
    }

    private AccessTokens node() {
        Standings standings = new Standings(
                chain, settings.sources().rules(), Runnable::run, () -> passed.toNanos(), () -> start.plus(passed));
        StoredUsers users = new StoredUsers(new FakeUsers());
        return new AccessTokens(users, chain, standings, keys, settings, () -> start.plus(passed));
    }

    private Authenticated login() {
        return (Authenticated)
                chain.authenticate(new PasswordCredentials("ada", Secret.of("any")), RequestContext.none());
    }

    /** Accepts all passwords. Without a stamp, the account is disabled. */
    private static final class Ldap implements LoginSource<PasswordCredentials> {

        private String stamp = "old";
        private @Nullable AuthUnavailableException failure;
        private int questions;

        @Override
        public String name() {
            return "ldap";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Authenticated.as(Subject.of(credentials.username())).withStamp(Secret.of(stamp));
        }

        @Override
        public Optional<Verdict> account(String id) {
            questions++;
            if (failure != null) {
                throw failure;
            }
            return stamp.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Authenticated.as(Subject.of(id)).withStamp(Secret.of(stamp)));
        }
    }
}
