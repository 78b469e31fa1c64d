package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.password.LoginEncoder;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataRetrievalFailureException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.User.UserBuilder;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

class UserDetailsPluginTest {

    private final CountingEncoder encoder = new CountingEncoder();

    @Test
    void rightPassword_isAuthenticatedWithTheAccountsAuthorities() {
        assertThat(decide(account -> account, "alice", "secret"))
                .isEqualTo(Authenticated.as(Subject.of("alice").withAuthorities("ROLE_USER")));
    }

    @Test
    void revocation_endsTheRememberedLoginsOfTheAccount() {
        List<String> ended = new ArrayList<>();
        UserDetailsPlugin plugin = plugin(account -> account).ending(username -> ended.add(username));
        assertThat(plugin.revokeAll("alice", Instant.EPOCH)).isTrue();
        assertThat(ended).containsExactly("alice");
        assertThat(plugin.revoke(credentials("alice", "secret"))).isFalse();
        assertThat(ended).hasSize(1);
        assertThat(plugin(account -> account).revokeAll("alice", Instant.EPOCH)).isFalse();
    }

    @Test
    void storeOfRememberedLogins_thatFails_isAnOutage() {
        UserDetailsPlugin plugin = plugin(account -> account).ending(username -> {
            throw new IllegalStateException("down");
        });
        assertThatThrownBy(() -> plugin.revokeAll("alice", Instant.EPOCH)).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void creationOfAnAccount_isKnownIfTheServiceSays() {
        class Dated extends User implements DatedUserDetails {

            private static final long serialVersionUID = 1;

            Dated(String name) {
                super(name, "secret#", List.of());
            }

            // An account from before the column of the creation has none.
            @Override
            public @Nullable Instant created() {
                return getUsername().equals("alice") ? Instant.EPOCH : null;
            }
        }
        UserDetailsPlugin plugin =
                new UserDetailsPlugin(Dated::new, TestLoginEncoders.around(encoder, null, null, null), null);
        assertThat(((Authenticated) plugin.account("alice").orElseThrow()).created())
                .isEqualTo(Instant.EPOCH);
        assertThat(((Authenticated) plugin.account("bob").orElseThrow()).created())
                .isNull();
        assertThat(((Authenticated) plugin(account -> account).account("alice").orElseThrow()).created())
                .isNull();
        assertThat(plugin.authenticate(credentials("alice", "secret"), RequestContext.none()))
                .as("the session of the first login begins with the account")
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        login -> assertThat(login.created()).isEqualTo(Instant.EPOCH));
    }

    /** Spring Security allows an authority that cannot be told as a text. */
    @Test
    void authorityWithoutAName_isNoneOfTheSubject() {
        List<GrantedAuthority> authorities = List.of(new SimpleGrantedAuthority("ROLE_USER"), () -> null, () -> " ");
        UserDetailsPlugin plugin = plugin(account -> account.authorities(authorities));
        assertThat(plugin.account("alice"))
                .hasValueSatisfying(account -> assertThat(
                                ((Authenticated) account).subject().authorities())
                        .containsExactly("ROLE_USER"));
    }

    @Test
    void noHash_isComputedBeforeItIsNeeded() {
        plugin(account -> account);
        assertThat(encoder.hashes()).isZero();
    }

    @Test
    void everyRefusal_costsOneHash_alsoTheFirst() {
        UserDetailsPlugin plugin = plugin(account -> account);
        assertRefused(plugin, "nobody", "secret", RejectionReason.UNKNOWN_ACCOUNT);
        assertRefused(plugin, "nobody", "secret", RejectionReason.UNKNOWN_ACCOUNT);
        assertRefused(
                plugin(account -> account.password("secret#as-a-hash")),
                "alice",
                "wrong",
                RejectionReason.BAD_CREDENTIALS);
        assertRefused(plugin, "n".repeat(256), "secret", RejectionReason.UNKNOWN_ACCOUNT);
        assertRefused(plugin, "nobody", "p".repeat(1025), RejectionReason.UNKNOWN_ACCOUNT);
        assertRefused(plugin, "alice", "p".repeat(1025), RejectionReason.MALFORMED);
        assertRefused(plugin(account -> account.password("")), "alice", "secret", RejectionReason.BAD_CREDENTIALS);
        assertRefused(plugin(account -> account.disabled(true)), "alice", "secret", RejectionReason.ACCOUNT_DISABLED);
    }

    @Test
    void nameThatItDoesNotKnow_isForTheNextPlugin_andCostsNothingUntilTheEnd() {
        UserDetailsPlugin plugin = plugin(account -> account);
        for (PasswordCredentials unknown : List.of(
                credentials("nobody", "secret"),
                credentials("n".repeat(256), "secret"),
                credentials("nobody", "p".repeat(1025)))) {
            assertThat(plugin.authenticate(unknown, RequestContext.none())).isEqualTo(Decision.abstained());
        }
        assertThat(encoder.hashes()).isZero();
        plugin.unrecognized(credentials("nobody", "secret"));
        assertThat(encoder.hashes()).isEqualTo(1);
        plugin.close();
        plugin.unrecognized(credentials("nobody", "secret"));
        assertThat(encoder.hashes()).isEqualTo(1);
    }

    @Test
    void unknownName_costsWhatTheHashesOfOthersDo() {
        AuthChain plugin = AuthChain.of(plugin(account -> account));
        plugin.authenticate(credentials("alice", "secret"), RequestContext.none());
        plugin.authenticate(credentials("nobody", "secret"), RequestContext.none());
        assertThat(encoder.matched).containsExactly("secret#", "secret#");
        assertThat(encoder.encoded).isEmpty();
    }

    @Test
    void unknownNames_shareNoHashWithOneAnother() {
        try (CredentialCache cache = CredentialCache.create()) {
            AuthChain plugin = AuthChain.of(new UserDetailsPlugin(
                    accounts(account -> account), TestLoginEncoders.around(encoder, cache, null, null), null));
            plugin.authenticate(credentials("alice", "secret"), RequestContext.none());
            encoder.duringAHash = () -> {
                encoder.duringAHash = () -> {};
                assertThat(reasonOf(plugin.authenticate(credentials("somebody", "secret"), RequestContext.none())))
                        .isEqualTo(RejectionReason.UNKNOWN_ACCOUNT);
            };
            plugin.authenticate(credentials("nobody", "secret"), RequestContext.none());
            assertThat(encoder.hashes()).isEqualTo(3);
        }
    }

    @Test
    void stateOfAnAccount_isToldOnlyAfterTheRightPassword() {
        assertThat(reasonOf(decide(account -> account.disabled(true), "alice", "wrong")))
                .isEqualTo(RejectionReason.BAD_CREDENTIALS);
        assertThat(reasonOf(decide(account -> account.accountLocked(true), "alice", "wrong")))
                .isEqualTo(RejectionReason.BAD_CREDENTIALS);
        assertThat(reasonOf(decide(account -> account.accountLocked(true), "alice", "secret")))
                .isEqualTo(RejectionReason.ACCOUNT_LOCKED);
        assertThat(reasonOf(decide(account -> account.accountExpired(true), "alice", "secret")))
                .isEqualTo(RejectionReason.ACCOUNT_EXPIRED);
        assertThat(reasonOf(decide(account -> account.credentialsExpired(true), "alice", "secret")))
                .isEqualTo(RejectionReason.CREDENTIALS_EXPIRED);
    }

    @Test
    void account_isLookedUpWithItsPresentState_andChangesItsStampWithItsHash() {
        assertThat(account(account -> account, "alice"))
                .isEqualTo(Authenticated.as(Subject.of("alice").withAuthorities("ROLE_USER")));
        assertThat(account(account -> account.disabled(true), "alice"))
                .isEqualTo(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
        assertThat(stamp(account -> account).matches(stamp(account -> account.password("other#"))))
                .isFalse();
        UserDetailsPlugin plugin = plugin(account -> account);
        assertThat(plugin.account("nobody")).isEmpty();
        assertThat(plugin.account("n".repeat(256))).isEmpty();
        plugin.close();
        assertThat(plugin.account("alice")).isEmpty();
        assertThat(encoder.matched).isEmpty();
    }

    @Test
    void longestName_isLookedUp_andALongerOneIsNot() {
        List<Integer> asked = new ArrayList<>();
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                name -> {
                    asked.add(name.length());
                    throw new UsernameNotFoundException("No such name");
                },
                asked(encoder),
                null);
        for (int length : new int[] {255, 256}) {
            plugin.authenticate(credentials("n".repeat(length), "secret"), RequestContext.none());
            plugin.account("n".repeat(length));
        }
        assertThat(asked).containsExactly(255, 255);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\tb", "a\nb", "a\u0000b", " ", "\ud800"})
    void accountWhoseNameNoSubjectCanHave_isUnknown(String name) {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                asked -> User.withUsername(asked).password("secret#").build(), asked(encoder), null);
        assertThat(plugin.authenticate(credentials(name, "secret"), RequestContext.none()))
                .isEqualTo(Decision.abstained());
        assertThat(plugin.account(name)).isEmpty();
    }

    @Test
    void accountThatTheStoreRefuses_isRefusedAsWithAWrongPassword_alsoWithoutAPassword() {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                name -> {
                    throw new LockedException("The account is locked");
                },
                asked(encoder),
                null);
        Rejected refused = Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("refused_by_store");
        assertThat(plugin.authenticate(credentials("alice", "secret"), RequestContext.none()))
                .isEqualTo(refused);
        assertThat(encoder.hashes()).isEqualTo(1);
        assertThat(plugin.account("alice")).contains(refused);
    }

    @Test
    void rightPasswordOfARejectedAccount_costsAHashEachTime_andOneOfAGoodAccountIsRemembered() {
        try (CredentialCache cache =
                CredentialCache.with(CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO))) {
            LoginEncoder cached = TestLoginEncoders.around(encoder, cache, null, null);
            UserDetailsPlugin locked =
                    new UserDetailsPlugin(accounts(account -> account.accountLocked(true)), cached, null);
            for (int i = 0; i < 3; i++) {
                locked.authenticate(credentials("alice", "secret"), RequestContext.none());
            }
            assertThat(encoder.hashes()).isEqualTo(3);
            UserDetailsPlugin good = new UserDetailsPlugin(accounts(account -> account), cached, null);
            for (int i = 0; i < 3; i++) {
                good.authenticate(credentials("alice", "secret"), RequestContext.none());
            }
            assertThat(encoder.hashes()).isEqualTo(4);
        }
    }

    @Test
    void closedPlugin_rejects_andItsHashesNeedNoFurtherBound() {
        UserDetailsPlugin plugin = plugin(account -> account);
        assertThat(plugin.boundsItsCalls()).isTrue();
        plugin.close();
        assertThat(reasonOf(plugin.authenticate(credentials("alice", "secret"), RequestContext.none())))
                .isEqualTo(RejectionReason.NOT_RECOGNIZED);
        assertThat(encoder.hashes()).isZero();
    }

    @Test
    void hashThatTheEncoderCannotRead_isAWrongPassword() {
        PasswordEncoder strict = new CountingEncoder() {
            @Override
            public boolean matches(CharSequence raw, String stored) {
                if (stored.startsWith("{unknown}")) {
                    throw new IllegalArgumentException("There is no encoder for the id \"unknown\"");
                }
                return super.matches(raw, stored);
            }
        };
        UserDetailsPlugin plugin =
                new UserDetailsPlugin(accounts(account -> account.password("{unknown}x")), asked(strict), null);
        assertThat(reasonOf(plugin.authenticate(credentials("alice", "secret"), RequestContext.none())))
                .isEqualTo(RejectionReason.BAD_CREDENTIALS);
    }

    static Stream<SQLException> failuresAboutTheName() {
        return Stream.of(
                new SQLException("character with byte sequence 0xef 0xbd 0x81 has no equivalent in LATIN1", "22P05"),
                new SQLException("Illegal mix of collations", "HY000", 1267));
    }

    /** A database in LATIN1, for example, has no such account. */
    @ParameterizedTest
    @MethodSource("failuresAboutTheName")
    void nameThatTheDatabaseCannotCompare_isUnknown(SQLException failure) {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                name -> {
                    throw new DataRetrievalFailureException("for " + name, failure);
                },
                asked(encoder),
                null);
        assertThat(plugin.authenticate(credentials("\uff41da", "secret"), RequestContext.none()))
                .isEqualTo(Decision.abstained());
        assertThat(plugin.account("\uff41da")).isEmpty();
    }

    static Stream<Exception> failures() {
        return Stream.of(
                new IllegalStateException("connection refused"),
                new IOException("thrown by Kotlin code"),
                new DataRetrievalFailureException("x", new SQLException("no such table", "42P01", 1146)));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void storeThatIsDown_isAnOutage(Exception failure) {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                name -> {
                    throw UserDetailsPluginTest.<RuntimeException>unchecked(failure);
                },
                asked(encoder),
                null);
        assertThatThrownBy(() -> plugin.authenticate(credentials("alice", "secret"), RequestContext.none()))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller names the type of the exception
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    @ExtendWith({OutputCaptureExtension.class, AudibleLog.class})
    void oldHash_isUpgradedOnSuccessOnly_andAFailedUpgradeCostsNobodyTheLogin_andQuotesNoHash(CapturedOutput log) {
        encoder.upgrade = true;
        List<String> updates = new ArrayList<>();
        UserDetailsPlugin plugin = new UserDetailsPlugin(accounts(account -> account), asked(encoder), (user, hash) -> {
            updates.add(hash);
            throw new IllegalStateException("Value too long for column password: '" + hash + "'");
        });
        plugin.authenticate(credentials("alice", "wrong"), RequestContext.none());
        assertThat(updates).isEmpty();
        assertThat(plugin.authenticate(credentials("alice", "secret"), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
        assertThat(updates).containsExactly("secret#");
        assertThat(log).contains("IllegalStateException").doesNotContain("secret#");
    }

    private void assertRefused(UserDetailsPlugin plugin, String name, String password, RejectionReason reason) {
        int before = encoder.hashes();
        assertThat(reasonOf(AuthChain.of(plugin).authenticate(credentials(name, password))))
                .isEqualTo(reason);
        assertThat(encoder.hashes() - before).isEqualTo(1);
    }

    private UserDetailsPlugin plugin(UnaryOperator<UserBuilder> change) {
        return new UserDetailsPlugin(accounts(change), asked(encoder), null);
    }

    private static LoginEncoder asked(PasswordEncoder encoder) {
        return TestLoginEncoders.around(encoder);
    }

    private Verdict account(UnaryOperator<UserBuilder> change, String name) {
        return plugin(change).account(name).orElseThrow();
    }

    private Secret stamp(UnaryOperator<UserBuilder> change) {
        return Objects.requireNonNull(((Authenticated) account(change, "alice")).stamp());
    }

    private Decision decide(UnaryOperator<UserBuilder> change, String username, String password) {
        return plugin(change).authenticate(credentials(username, password), RequestContext.none());
    }

    private static UserDetailsService accounts(UnaryOperator<UserBuilder> change) {
        return new InMemoryUserDetailsManager(
                change.apply(User.withUsername("alice").password("secret#").authorities("ROLE_USER"))
                        .build());
    }

    private static PasswordCredentials credentials(String username, String password) {
        return new PasswordCredentials(username, Secret.of(password));
    }

    private static RejectionReason reasonOf(Decision decision) {
        return ((Rejected) decision).reason();
    }

    /** Stores a password with a hash sign behind it, and remembers what it was asked. */
    private static class CountingEncoder implements PasswordEncoder {

        final List<String> matched = new ArrayList<>();
        final List<String> encoded = new ArrayList<>();
        boolean upgrade;
        Runnable duringAHash = () -> {};

        int hashes() {
            return matched.size() + encoded.size();
        }

        @Override
        public String encode(CharSequence raw) {
            encoded.add(raw + "#");
            return raw + "#";
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            matched.add(stored);
            duringAHash.run();
            return stored.equals(raw + "#");
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return upgrade;
        }
    }
}
