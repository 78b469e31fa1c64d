package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.User.UserBuilder;
import org.springframework.security.core.userdetails.UserDetailsService;
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
    void everyRefusal_costsOneHash() {
        assertThat(reasonOf(decide(account -> account, "alice", "wrong"))).isEqualTo(RejectionReason.BAD_CREDENTIALS);
        assertThat(encoder.matched).hasSize(1);
        assertThat(reasonOf(decide(account -> account, "nobody", "secret"))).isEqualTo(RejectionReason.UNKNOWN_ACCOUNT);
        assertThat(encoder.matched).hasSize(2);
        assertThat(reasonOf(decide(account -> account, "n".repeat(256), "secret")))
                .isEqualTo(RejectionReason.MALFORMED);
        assertThat(encoder.matched).hasSize(3);
        assertThat(reasonOf(decide(account -> account, "alice", "p".repeat(1025))))
                .isEqualTo(RejectionReason.MALFORMED);
        assertThat(encoder.matched).hasSize(4);
        assertThat(reasonOf(decide(account -> account.password(""), "alice", "secret")))
                .isEqualTo(RejectionReason.BAD_CREDENTIALS);
        assertThat(encoder.matched).hasSize(5);
        assertThat(reasonOf(decide(account -> account.disabled(true), "alice", "secret")))
                .isEqualTo(RejectionReason.ACCOUNT_DISABLED);
        assertThat(encoder.matched).hasSize(6);
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
        assertThat(account(account -> account, "alice").state())
                .isEqualTo(Authenticated.as(Subject.of("alice").withAuthorities("ROLE_USER")));
        assertThat(account(account -> account.disabled(true), "alice").state())
                .isEqualTo(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
        assertThat(account(account -> account, "alice")
                        .stamp()
                        .matches(account(account -> account.password("other#"), "alice")
                                .stamp()))
                .isFalse();
        UserDetailsPlugin plugin = new UserDetailsPlugin(accounts(account -> account), encoder, null);
        assertThat(plugin.account("nobody")).isEmpty();
        assertThat(plugin.account("n".repeat(256))).isEmpty();
        plugin.close();
        assertThat(plugin.account("alice")).isEmpty();
        assertThat(encoder.matched).isEmpty();
    }

    @Test
    void dummyHash_cannotBeLoggedInWith() {
        decide(account -> account, "nobody", "secret");
        assertThat(encoder.encoded)
                .singleElement()
                .satisfies(dummy -> assertThat(dummy).hasSizeGreaterThan(40));
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
                new UserDetailsPlugin(accounts(account -> account.password("{unknown}x")), strict, null);
        assertThat(reasonOf(plugin.authenticate(credentials("alice", "secret"))))
                .isEqualTo(RejectionReason.BAD_CREDENTIALS);
    }

    @Test
    void storeThatIsDown_isAnOutage() {
        UserDetailsPlugin plugin = new UserDetailsPlugin(
                name -> {
                    throw new IllegalStateException("connection refused");
                },
                encoder,
                null);
        assertThatThrownBy(() -> plugin.authenticate(credentials("alice", "secret")))
                .isInstanceOfSatisfying(
                        AuthUnavailableException.class,
                        e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE));
    }

    @Test
    void oldHash_isUpgradedOnSuccessOnly_andAFailedUpgradeCostsNobodyTheLogin() {
        encoder.upgrade = true;
        List<String> updates = new ArrayList<>();
        UserDetailsPlugin plugin = new UserDetailsPlugin(accounts(account -> account), encoder, (user, hash) -> {
            updates.add(hash);
            throw new IllegalStateException("read-only database");
        });
        plugin.authenticate(credentials("alice", "wrong"));
        assertThat(updates).isEmpty();
        assertThat(plugin.authenticate(credentials("alice", "secret"))).isInstanceOf(Authenticated.class);
        assertThat(updates).containsExactly("secret#");
    }

    private Account account(UnaryOperator<UserBuilder> change, String name) {
        return new UserDetailsPlugin(accounts(change), encoder, null)
                .account(name)
                .orElseThrow();
    }

    private Decision decide(UnaryOperator<UserBuilder> change, String username, String password) {
        return new UserDetailsPlugin(accounts(change), encoder, null).authenticate(credentials(username, password));
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

        @Override
        public String encode(CharSequence raw) {
            encoded.add(raw + "#");
            return raw + "#";
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            matched.add(stored);
            return stored.equals(raw + "#");
        }

        @Override
        public boolean upgradeEncoding(String stored) {
            return upgrade;
        }
    }
}
