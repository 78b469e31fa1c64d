package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.latchkey.plugins.apikeys.OwnApiKeys.OwnerProof;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two sources each have an account {@code ada}: their keys are not each other's. */
class TwoSourcesTest {

    private static final KeyRequest WANTED = KeyRequest.named("ci", "orders:read");

    private final ApiKeyStore store = new InMemoryApiKeyStore();
    private final SetClock clock = new SetClock();
    private final ApiKeys keys = ApiKeys.of(
                    store, KeyDigests.of(Secret.of(new byte[32])), ApiKeySettings.defaults(), this::accountOf)
            .withClock(clock);
    private final Accounts users = new Accounts("users", "ada");
    private final Accounts directory = new Accounts("directory", "ada@example.org");
    private AuthChain chain = AuthChain.of(users, directory, ApiKeysPlugin.of(keys));

    @AfterEach
    void close() {
        chain.close();
    }

    private Optional<Verdict> accountOf(String plugin, String account) {
        return chain.decidedLogins().account(plugin, account);
    }

    /** One account: the subject is {@code ada} for both login names. */
    private static final class Accounts implements LoginSource<PasswordCredentials> {

        private final String name;
        private final String username;
        private boolean isDisabled;

        Accounts(String name, String username) {
            this.name = name;
            this.username = username;
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
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.username().equals(username) ? state() : Decision.abstained();
        }

        private Verdict state() {
            return isDisabled
                    ? Rejected.because(RejectionReason.ACCOUNT_DISABLED)
                    : Authenticated.as(Subject.of("ada").withAuthorities("SCOPE_orders:read"));
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return subjectId.equals("ada") ? Optional.of(state()) : Optional.empty();
        }
    }

    private KeyOutcome issue(String account, String username) {
        OwnerProof proof = new OwnerProof(new PasswordCredentials(username, Secret.of("any")), Map.of());
        return new OwnApiKeys(chain, keys).issue(account, proof, WANTED, RequestContext.none());
    }

    private Verdict login(KeyOutcome key) {
        return chain.authenticate(new ApiKeyCredentials(((IssuedKey) key).text()));
    }

    private static String idOf(Verdict verdict) {
        return ((Authenticated) verdict).subject().id();
    }

    @Test
    void key_isIssuedForTheAccountOfTheSourceThatProvedIt_andForNoOther() {
        assertThat(issue("ada", "ada@example.org")).isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(issue("directory:ada", "ada")).isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(idOf(login(issue("ada", "ada")))).isEqualTo("ada");
        assertThat(idOf(login(issue("directory:ada", "ada@example.org")))).isEqualTo("directory:ada");
        assertThat(store.ofAccount("ada")).hasSize(1);
        assertThat(store.ofAccount("directory:ada")).hasSize(1);
    }

    @Test
    void revocationOfOne_leavesTheKeysOfTheOther() {
        KeyOutcome local = issue("ada", "ada");
        KeyOutcome remote = issue("directory:ada", "ada@example.org");
        Instant later = clock.instant().plusSeconds(1);
        assertThat(chain.revokeAll("ada", later)).isTrue();
        assertThat(login(local)).isInstanceOf(Rejected.class);
        assertThat(idOf(login(remote))).isEqualTo("directory:ada");
        assertThat(chain.revokeAll("directory:ada", later)).isTrue();
        assertThat(login(remote)).isInstanceOf(Rejected.class);
    }

    @Test
    void disabledAccount_endsItsOwnKeys_andNotThoseOfItsNamesake() {
        KeyOutcome local = issue("ada", "ada");
        KeyOutcome remote = issue("directory:ada", "ada@example.org");
        directory.isDisabled = true;
        clock.move(keys.settings().seenWithin().plusSeconds(1));
        assertThat(login(remote)).isInstanceOf(Rejected.class);
        assertThat(idOf(login(local))).isEqualTo("ada");
    }

    @Test
    void sourcesThatShareTheirSubjects_shareTheirKeys() {
        chain = chain.withSharedSubjects(Set.of("users", "directory"));
        assertThat(idOf(login(issue("ada", "ada@example.org")))).isEqualTo("ada");
        assertThat(idOf(login(issue("ada", "ada")))).isEqualTo("ada");
        assertThat(store.ofAccount("ada")).hasSize(2);
    }
}
