package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.account.AccountLogins;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import dev.latchkey.auth.spring.plugin.TestUsers;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Refreshable logins of accounts with a stored hash that changes during the login. */
class RenewedHashTest {

    /** Of today: the stores of revoked and of refresh tokens go by the system's clock. Half a second past, for what is rounded. */
    private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusMillis(500);

    private final InMemoryUserDetailsManager users = new InMemoryUserDetailsManager() {
        @Override
        public UserDetails loadUserByUsername(String username) {
            loads++;
            return super.loadUserByUsername(username);
        }
    };
    private int loads;
    private UserDetailsPasswordService upgrades = users;
    private final VersionedEncoder encoder = new VersionedEncoder();
    private final InMemoryRevocationStore revocations = new InMemoryRevocationStore(Duration.ofDays(30));
    private final AuthChain plugins = AuthChain.of(
            List.of(TestUsers.of(
                    users, TestLoginEncoders.around(encoder), (user, hash) -> upgrades.updatePassword(user, hash))),
            () -> now);
    private final HmacKey key = HmacKey.generate(HmacAlgorithm.HS256);
    private final AccessTokens accessTokens = new AccessTokens(
            JwtSigner.with(key).withTimeSource(() -> now),
            JwtVerifier.with(key).withTimeSource(() -> now),
            revocations,
            RefreshScene.propertiesOf(List.of()).jwt(),
            List.of(),
            (token, jwt) -> true);
    private final InMemoryLoginStore store = new InMemoryLoginStore(1000);
    private final LatchkeyProperties properties =
            RefreshScene.propertiesOf(List.of("latchkey.login.refresh.race-window=0s"));
    private final RefreshableLogins logins = RefreshableLogins.in(
            store,
            AccountLogins.of(store, revocations, properties, null, null, List.of(), () -> now),
            plugins,
            accessTokens,
            properties.login().refresh(),
            () -> now);
    private final TokenLogin login = new TokenLogin(
            plugins, accessTokens, () -> now, new RevokedSecond(() -> now, pause -> now = now.plus(pause)), logins);

    @Test
    void loginThatRenewsTheHash_canBeProlonged() {
        users.createUser(alice("1:secret"));
        Optional<IssuedTokens> first = login();
        assertThat(users.loadUserByUsername("alice").getPassword()).isEqualTo("2:secret");
        assertThat(refreshed(first)).isPresent();
        assertThat(encoder.checks).isEqualTo(1);
    }

    @Test
    void loginThatRenewsTheHash_ofAServiceThatAnswersWithTheOldAccount_canBeProlonged() {
        users.createUser(alice("1:secret"));
        upgrades = (user, hash) -> {
            users.updatePassword(user, hash);
            return alice("1:secret");
        };
        assertThat(refreshed(login())).isPresent();
        assertThat(encoder.checks).isEqualTo(1);
    }

    @Test
    void loginThatRenewsTheHash_ofAServiceThatStoresAnother_canBeProlonged_afterAnotherCheck() {
        users.createUser(alice("1:secret"));
        upgrades = (user, hash) -> users.updatePassword(user, hash.replace("2:", "3:"));
        assertThat(refreshed(login())).isPresent();
        assertThat(encoder.checks).isEqualTo(2);
    }

    @Test
    void revocationDuringTheOtherCheck_leavesTheTokensOfTheLoginValid() {
        users.createUser(alice("1:secret"));
        upgrades = (user, hash) -> users.updatePassword(user, hash.replace("2:", "3:"));
        Instant end = now.plusMillis(500);
        encoder.afterACheck = () -> {
            if (encoder.checks == 2) {
                revocations.revokeSubject("alice", now);
            }
        };
        assertThat(refreshed(login())).isPresent();
        assertThat(now).isEqualTo(end);
    }

    @Test
    void login_loadsItsAccountForTheCheck_andOnceMoreAfterwards() {
        users.createUser(alice("2:secret"));
        assertThat(login().orElseThrow().refresh()).isPresent();
        assertThat(loads).isEqualTo(2);
    }

    @Test
    void loginWithAnUpToDateHash_isCheckedOnce() {
        users.createUser(alice("2:secret"));
        assertThat(refreshed(login())).isPresent();
        assertThat(encoder.checks).isEqualTo(1);
    }

    @Test
    void passwordThatIsChangedRightAfterItsCheck_givesNoTokens() {
        users.createUser(alice("2:secret"));
        encoder.afterACheck = () -> users.updateUser(alice("2:another"));
        assertThat(login()).isEmpty();
    }

    /** The new hash is of the sent password, the old password by then. */
    @Test
    void passwordThatIsChangedWhileItsHashIsRenewed_stays_andTheOldOneGivesNoTokens() {
        users.createUser(alice("1:secret"));
        encoder.beforeAHash = () -> users.updateUser(alice("2:another"));
        assertThat(login()).isEmpty();
        assertThat(users.loadUserByUsername("alice").getPassword()).isEqualTo("2:another");
    }

    @Test
    void accountThatIsDeletedRightAfterItsCheck_givesNoTokens() {
        users.createUser(alice("2:secret"));
        encoder.afterACheck = () -> users.deleteUser("alice");
        assertThat(login()).isEmpty();
    }

    private Optional<IssuedTokens> login() {
        return login.login(new PasswordCredentials("alice", Secret.of("secret")), RequestContext.none())
                .map(IssuedTokens.class::cast);
    }

    private Optional<IssuedTokens> refreshed(Optional<IssuedTokens> tokens) {
        return logins.refresh(tokens.orElseThrow().refresh().orElseThrow().text());
    }

    private static UserDetails alice(String hash) {
        return User.withUsername("alice").password(hash).roles("USER").build();
    }

    /** Stores a password behind the version of the hash; version 1 is outdated. */
    private static final class VersionedEncoder implements PasswordEncoder {

        private int checks;
        private Runnable afterACheck = () -> {};
        private Runnable beforeAHash = () -> {};

        @Override
        public String encode(CharSequence raw) {
            beforeAHash.run();
            return "2:" + raw;
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            checks++;
            boolean matches = stored.substring(2).contentEquals(raw);
            afterACheck.run();
            return matches;
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return stored.startsWith("1:");
        }
    }
}
