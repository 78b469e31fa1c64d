package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/** Behind the provider that nearly every service has. */
class DaoAuthenticationProviderTest {

    private final TestTime time = new TestTime();
    private final FakeEncoder fake = new FakeEncoder(time);
    private final CredentialCache cache = time.cache();
    private final CachingPasswordEncoder encoder = CachingPasswordEncoder.around(fake, cache);
    private final Map<String, UserDetails> users = new ConcurrentHashMap<>();
    private final DaoAuthenticationProvider provider = new DaoAuthenticationProvider(this::load);

    @BeforeEach
    void aUser() {
        provider.setPasswordEncoder(encoder);
        users.put("ada", user("right").build());
    }

    // The provider checks unknown users against a dummy hash, and the plain text of the hash is public.
    @Test
    void unknownUserWithTheDummysOwnPassword_makesNoEntryAndNoHit() {
        for (int i = 1; i <= 5; i++) {
            assertThatThrownBy(() -> login("nobody", DummyHashes.PLAIN_TEXT))
                    .isInstanceOf(BadCredentialsException.class);
            assertThat(fake.checks).as("a full hash each time").hasValue(i);
        }
        assertThat(cache.stats().size()).isZero();
        assertThat(cache.stats().hits()).isZero();
        assertThat(cache.stats().notStored()).isEqualTo(5);
    }

    @Test
    void dummyIsReallyMatchedByThatPassword() {
        // Without this the test above could pass because nothing matches at all.
        StringBuilder outcomes = new StringBuilder();
        fake.beforeAnswer = (presented, hash) ->
                outcomes.append(fake.encode(presented).equals(hash)).append(' ');
        assertThatThrownBy(() -> login("nobody", DummyHashes.PLAIN_TEXT)).isInstanceOf(BadCredentialsException.class);
        assertThat(outcomes).hasToString("true ");
    }

    @Test
    void equivalentOfTheDummysPassword_makesNoEntryEither() {
        FakeEncoder ignoringCase = new FakeEncoder(time) {
            @Override
            public String encode(CharSequence plain) {
                return super.encode(plain.toString().toLowerCase(java.util.Locale.ROOT));
            }
        };
        provider.setPasswordEncoder(CachingPasswordEncoder.around(ignoringCase, cache));
        for (int i = 1; i <= 5; i++) {
            assertThatThrownBy(() -> login("nobody", "USERNOTFOUNDPASSWORD"))
                    .isInstanceOf(BadCredentialsException.class);
            assertThat(ignoringCase.checks).hasValue(i);
        }
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void accountWithTheDummysPassword_isNeverCached() {
        users.put("eve", user(DummyHashes.PLAIN_TEXT).username("eve").build());
        login("eve", DummyHashes.PLAIN_TEXT);
        login("eve", DummyHashes.PLAIN_TEXT);
        assertThat(fake.checks).hasValue(2);
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void unknownUser_makesNoEntry_withAnyPassword() {
        for (String password : new String[] {"", "right", "wrong", "userNotFoundPassword ", "\uD800"}) {
            assertThatThrownBy(() -> login("nobody", password)).isInstanceOf(BadCredentialsException.class);
        }
        assertThat(fake.checks).hasValue(5);
        assertThat(cache.stats().stored()).isZero();
    }

    @Test
    void accountEncodedInThisProcess_isCached() {
        users.put(
                "new",
                user("").password(encoder.encode("chosen")).username("new").build());
        login("new", "chosen");
        login("new", "chosen");
        assertThat(fake.checks).hasValue(1);
    }

    @Test
    void oldPassword_isRefusedOnTheNextRequestAfterAChange() {
        login("ada", "right");
        users.put("ada", user("changed").build());
        assertThatThrownBy(() -> login("ada", "right")).isInstanceOf(BadCredentialsException.class);
        assertThat(login("ada", "changed").isAuthenticated()).isTrue();
    }

    @Test
    void accountDisabledOrLockedAfterALogin_isRefusedOnAHit() {
        login("ada", "right");
        users.put("ada", user("right").disabled(true).build());
        assertThatThrownBy(() -> login("ada", "right")).isInstanceOf(DisabledException.class);
        users.put("ada", user("right").accountLocked(true).build());
        assertThatThrownBy(() -> login("ada", "right")).isInstanceOf(LockedException.class);
        users.remove("ada");
        assertThatThrownBy(() -> login("ada", "right")).isInstanceOf(BadCredentialsException.class);
    }

    @Test
    void rolesOfAHit_areTheCurrentOnes() {
        assertThat(login("ada", "right").getAuthorities())
                .extracting(GrantedAuthority::getAuthority)
                .contains("ROLE_USER");
        users.put("ada", user("right").roles("ADMIN").build());
        assertThat(login("ada", "right").getAuthorities())
                .extracting(GrantedAuthority::getAuthority)
                .contains("ROLE_ADMIN")
                .doesNotContain("ROLE_USER");
        assertThat(fake.checks).hasValue(1);
    }

    // With a password service the provider rehashes after a success, hit or miss; the new hash is another key.
    @Test
    void outdatedHash_isUpgradedOnAHitAndTheNewOneIsCachedInItsTurn() {
        FakeEncoder upgrading = new FakeEncoder(time) {
            @Override
            public boolean upgradeEncoding(String storedHash) {
                return storedHash.startsWith("old$");
            }

            @Override
            public boolean matches(CharSequence presented, String storedHash) {
                return super.matches(presented, storedHash.replace("old$", "fake$"));
            }
        };
        users.put("ada", user("").password("old$right").build());
        provider.setPasswordEncoder(CachingPasswordEncoder.around(upgrading, cache));
        provider.setUserDetailsPasswordService((user, hash) -> {
            UserDetails upgraded = User.withUserDetails(user).password(hash).build();
            users.put(user.getUsername(), upgraded);
            return upgraded;
        });
        login("ada", "right");
        assertThat(users.get("ada").getPassword()).isEqualTo("fake$right");
        login("ada", "right");
        login("ada", "right");
        assertThat(upgrading.checks).as("the old hash once, the new one once").hasValue(2);
    }

    private UserDetails load(String username) {
        UserDetails user = users.get(username);
        if (user == null) {
            throw new UsernameNotFoundException(username);
        }
        return User.withUserDetails(user).build();
    }

    private User.UserBuilder user(String password) {
        return User.withUsername("ada").password(fake.encode(password)).roles("USER");
    }

    private Authentication login(String username, String password) {
        return provider.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(username, password));
    }
}
