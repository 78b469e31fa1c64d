package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** A plugin behind {@code users} is asked about the names that {@code users} does not know. */
class UnknownNamesTest {

    private static final String ORDER = "latchkey.plugins=users,directory";

    private final CountingEncoder encoder = new CountingEncoder();

    @Test
    void pluginBehindUsers_isAsked_andAHashIsSpentWhereNobodyKnowsTheName() {
        Services.web()
                .withBean(UserDetailsService.class, () -> new InMemoryUserDetailsManager(alice()))
                .withBean(PasswordEncoder.class, () -> encoder)
                .withBean(Directory.class, Directory::new)
                .withPropertyValues(ORDER)
                .run(this::assertUnknownNames);
    }

    @Test
    void onWebFluxToo() {
        ReactiveServices.web()
                .withBean(ReactiveUserDetailsService.class, () -> new MapReactiveUserDetailsService(alice()))
                .withBean(PasswordEncoder.class, () -> encoder)
                .withBean(Directory.class, Directory::new)
                .withPropertyValues(ORDER)
                .run(this::assertUnknownNames);
    }

    private void assertUnknownNames(ApplicationContext context) {
        AuthChain chain = context.getBean(AuthChain.class);
        assertThat(chain.authenticate(login("bob", Directory.BOBS_PASSWORD))).isInstanceOf(Authenticated.class);
        assertThat(encoder.hashes).hasValue(0);
        assertThat(chain.authenticate(login("alice", "wrong")))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS));
        assertThat(encoder.hashes).hasValue(1);
        assertThat(chain.authenticate(login("nobody", "wrong")))
                .isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        assertThat(encoder.hashes).hasValue(2);
    }

    private static PasswordCredentials login(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }

    private static UserDetails alice() {
        return User.withUsername("alice")
                .password("right#as-a-hash")
                .authorities("ROLE_USER")
                .build();
    }

    private static final class CountingEncoder implements PasswordEncoder {

        final AtomicInteger hashes = new AtomicInteger();

        @Override
        public String encode(CharSequence raw) {
            hashes.incrementAndGet();
            return raw + "#as-a-hash";
        }

        @Override
        public boolean matches(CharSequence raw, String stored) {
            hashes.incrementAndGet();
            return stored.equals(raw + "#as-a-hash");
        }
    }
}
