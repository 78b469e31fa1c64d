package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.plugins.passkeys.store.InMemoryPasskeyStore;
import dev.latchkey.plugins.passkeys.store.PasskeyStore;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A service with the accounts ada and bob, their passwords, and passkeys. */
final class Desk {

    static final RelyingParty SERVICE = RelyingParty.of("example.com", "Example");
    static final Secret KEY = Secret.of(new byte[32]);
    static final PasswordCredentials ADA = new PasswordCredentials("ada", Secret.of("right"));

    final SetClock clock = new SetClock();
    final PasskeyStore store;
    final Passkeys passkeys;
    final Users users = new Users("users");
    final PasskeysPlugin plugin;
    final AuthChain chain;
    final OwnPasskeys own;

    Desk() {
        this(new InMemoryPasskeyStore());
    }

    Desk(PasskeyStore store) {
        this.store = store;
        this.passkeys = Passkeys.of(store, SERVICE, KEY).withClock(clock);
        this.plugin = newPlugin();
        this.chain = AuthChain.of(List.of(users, plugin), clock);
        this.own = new OwnPasskeys(chain, passkeys);
    }

    PasskeysPlugin newPlugin() {
        return new PasskeysPlugin(passkeys, this::account).withClock(clock);
    }

    private Optional<Verdict> account(String source, String id) {
        return source.equals(users.name()) ? users.account(id) : Optional.empty();
    }

    static PasswordCredentials passwordOf(String account) {
        return new PasswordCredentials(account, Secret.of("right"));
    }

    /** The account's first passkey. */
    Authenticator enrol(String account) {
        return enrol(account, new Authenticator());
    }

    Authenticator enrol(String account, Authenticator authenticator) {
        Map<String, Object> options = own.begin(account, passwordOf(account), Map.of(), RequestContext.none())
                .orElseThrow();
        assertThat(confirm(account, authenticator.register(options))).isPresent();
        return authenticator;
    }

    Optional<Passkey> confirm(String account, Map<String, Secret> made) {
        return own.confirm(
                account, "key", made.get("attestation_object"), made.get("client_data_json"), RequestContext.none());
    }

    /** By a passkey alone. */
    Verdict login(Map<String, Secret> fields) {
        return chain.authenticate(PasskeyCredentials.of(fields).orElseThrow());
    }

    static final class Users implements LoginSource<PasswordCredentials> {

        final Set<String> gone = new HashSet<>();
        final Set<String> disabled = new HashSet<>();
        Secret password = Secret.of("right");
        Secret stamp = Secret.of("hash");
        boolean isDown;
        boolean ignoresCase;

        @Nullable
        Instant created;

        private final String name;

        Users(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return credentials.password().matches(password)
                    ? login(credentials.username())
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        private Authenticated login(String id) {
            return Authenticated.as(Subject.of(id).withAuthorities("ROLE_USER")).withStamp(stamp);
        }

        @Override
        public Optional<Verdict> account(String id) {
            if (isDown) {
                throw AuthUnavailableException.outage("The users are down");
            }
            if (gone.contains(id) || !Set.of("ada", "bob").contains(ignoresCase ? id.toLowerCase(Locale.ROOT) : id)) {
                return Optional.empty();
            }
            if (disabled.contains(id)) {
                return Optional.of(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
            }
            return Optional.of(created == null ? login(id) : login(id).withCreated(created));
        }
    }
}
