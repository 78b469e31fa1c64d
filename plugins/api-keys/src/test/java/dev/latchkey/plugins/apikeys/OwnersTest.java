package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A key has the rights of its owner, and an attacker with write access to the table cannot change the owner. */
class OwnersTest {

    private static final KeyOwner ADA = new KeyOwner("ada", "users");
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(10);

    private final ApiKeyStore store = new InMemoryApiKeyStore();
    private final Node node = Node.of(store, new SetClock());

    @AfterEach
    void close() {
        node.close();
    }

    private static Set<String> authorities(Decision decision) {
        return ((Authenticated) decision).subject().authorities();
    }

    @Test
    void keyOfAnAccountThatWasDisabledOrDeleted_endsWithinTheStatedTime() {
        node.hasAccount("ada", "ROLE_USER");
        IssuedKey key = node.issue(ADA, "orders:read");
        assertThat(node.takes(key)).isTrue();

        node.accounts.put("ada", Rejected.because(RejectionReason.ACCOUNT_DISABLED));
        node.nanos.move(SEEN_WITHIN);
        assertThat(node.takes(key)).isFalse();

        node.hasAccount("ada", "ROLE_USER");
        node.nanos.move(SEEN_WITHIN);
        assertThat(node.takes(key)).isTrue();

        node.accounts.remove("ada");
        node.nanos.move(SEEN_WITHIN);
        assertThat(node.takes(key)).isFalse();
    }

    @Test
    void keyOfARejectedAccount_isRevokedByItsHolder() {
        for (RejectionReason reason : List.of(
                RejectionReason.ACCOUNT_LOCKED,
                RejectionReason.ACCOUNT_DISABLED,
                RejectionReason.CREDENTIALS_EXPIRED)) {
            node.hasAccount("ada", "ROLE_USER");
            IssuedKey key = node.issue(ADA, "orders:read");
            node.accounts.put("ada", Rejected.because(reason));
            Secret wrong = Secret.of(node.keys.format().randomKey(key.key().id(), new SecureRandom()));
            assertThat(node.keys.revokeShown(wrong)).as(reason.name()).isFalse();
            assertThat(node.keys.revokeShown(key.text())).as(reason.name()).isTrue();
            assertThat(store.ofAccount("ada")).as(reason.name()).isEmpty();
        }
    }

    @Test
    void keyOfADeletedAccount_isRevokedByItsHolder() {
        IssuedKey key = node.issue(ADA, "orders:read");
        assertThat(node.keys.revokeShown(key.text())).isTrue();
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    @Test
    void key_isRevokedByItsHolder_duringAnOutageOfTheAccounts() {
        node.hasAccount("ada", "ROLE_USER");
        IssuedKey key = node.issue(ADA, "orders:read");
        node.accountsAreDown = true;
        assertThat(node.keys.revokeShown(key.text())).isTrue();
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    @Test
    void keyOlderThanTheAccount_isOfADeletedAccountOfTheName() {
        node.hasAccount("ada", "ROLE_USER");
        IssuedKey key = node.issue(ADA, "orders:read");
        Instant issued = key.key().created();
        node.created.put("ada", issued.plusNanos(999_999));
        assertThat(node.takes(key)).as("to the millisecond").isTrue();

        node.created.put("ada", issued.plusMillis(1));
        node.nanos.move(SEEN_WITHIN);
        assertThat(node.show(key)).isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        node.passes(SEEN_WITHIN);
        assertThat(node.takes(node.issue(ADA, "orders:read"))).isTrue();
    }

    /** The account {@code ada} is {@code Ada} now, and the store ignores case. */
    @Test
    void keyOfARenamedAccount_isRefused_andNotListed() {
        node.hasAccount("ada", "ROLE_USER");
        IssuedKey key = node.issue(ADA, "orders:read");
        node.accounts.put("ada", Authenticated.as(Subject.of("Ada").withAuthorities("ROLE_USER")));
        node.nanos.move(SEEN_WITHIN);
        assertThat(node.show(key)).isEqualTo(Rejected.because(RejectionReason.UNKNOWN_ACCOUNT));
        assertThat(node.keys.list("ada")).isEmpty();
        assertThat(node.keys.revokeShown(key.text())).isTrue();
    }

    @Test
    void keyOlderThanTheAccount_isNotRotated() {
        node.hasAccount("ada", "ROLE_USER");
        IssuedKey key = node.issue(ADA, "orders:read");
        node.created.put("ada", key.key().created().plusMillis(1));
        assertThat(node.keys.rotate("ada", key.key().id(), KeyRotation.overlappingBy(Duration.ZERO)))
                .isEqualTo(KeyRefusal.NO_SUCH_KEY);
        assertThat(node.keys.revoke("ada", key.key().id()))
                .as("the row is left to the account")
                .isTrue();
    }

    @Test
    void keysOlderThanTheAccount_areNotListed_andTakeNoPlace() {
        node.hasAccount("ada", "ROLE_USER");
        KeyRequest wanted = KeyRequest.named("ci");
        KeyOutcome outcome = node.keys.issue(ADA, wanted);
        Instant last = Instant.MIN;
        while (outcome instanceof IssuedKey issued) {
            last = issued.key().created();
            outcome = node.keys.issue(ADA, wanted);
        }
        assertThat(outcome).isEqualTo(KeyRefusal.TOO_MANY);

        node.created.put("ada", last.plusMillis(1));
        assertThat(node.keys.list("ada")).isEmpty();
        node.passes(Duration.ofMillis(1));
        assertThat(node.keys.issue(ADA, wanted)).isInstanceOf(IssuedKey.class);
        assertThat(node.keys.list("ada")).hasSize(1);
    }

    @Test
    void scopeThatTheOwnerMayNotGiveAnyMore_isNoAuthority() {
        node.hasAccount("ada", "ROLE_USER", "SCOPE_own");
        IssuedKey key = node.issue(ADA, "orders:read", "own");
        assertThat(authorities(node.show(key))).containsExactlyInAnyOrder("SCOPE_orders:read", "SCOPE_own");
        node.hasAccount("ada", "ROLE_ADMIN");
        node.nanos.move(SEEN_WITHIN);
        assertThat(authorities(node.show(key))).containsExactly("SCOPE_orders:read");
        node.hasAccount("ada", "ROLE_GUEST");
        node.nanos.move(SEEN_WITHIN);
        assertThat(authorities(node.show(key))).isEmpty();
    }

    @Test
    void ownersAuthorities_areNotTheKeys() {
        node.hasAccount("ada", "ROLE_USER", "ROLE_ADMIN");
        assertThat(authorities(node.show(node.issue(ADA)))).isEmpty();
    }

    @Test
    void keyOfAPluginThatIsGone_isRefused() {
        IssuedKey key = node.issue(new KeyOwner("ada", "ldap"));
        assertThat(node.takes(key)).isFalse();
    }

    @Test
    void rowThatWasGivenToAnotherAccount_provesNobody() {
        IssuedKey key = node.issue(KeyOwner.of("mallory"), "orders:read");
        StoredKey row = store.find(key.key().id()).orElseThrow();
        store.delete("mallory", row.id());
        store.insert(changed(row, row.id(), KeyOwner.of("root"), row.scopes()), 20);
        assertThat(node.takes(key)).isFalse();
    }

    @Test
    void rowThatWasGivenAScope_orTakenFromItsPlugin_provesNobody() {
        IssuedKey key = node.issue(KeyOwner.of("mallory"), "orders:read");
        StoredKey row = store.find(key.key().id()).orElseThrow();
        for (StoredKey forged : new StoredKey[] {
            changed(row, row.id(), row.owner(), Set.of("orders:read", "admin")),
            changed(row, row.id(), new KeyOwner("mallory", "users"), row.scopes())
        }) {
            store.delete("mallory", row.id());
            store.insert(forged, 20);
            node.hasAccount("mallory", "ROLE_USER");
            node.keys.revoke("nobody", row.id());
            assertThat(node.takes(key)).as(forged.toString()).isFalse();
        }
        store.delete("mallory", row.id());
        store.insert(row, 20);
        node.keys.revoke("nobody", row.id());
        assertThat(node.takes(key)).as("as it was").isTrue();
    }

    private static StoredKey changed(StoredKey row, String id, KeyOwner owner, Set<String> scopes) {
        return new StoredKey(id, owner, row.name(), scopes, row.digest(), null, null, Instant.EPOCH, null, null);
    }

    /** Of the same owner, with the same scopes: the id alone makes the difference. */
    @Test
    void digestThatWasCopiedToAnotherRow_isOfNoUse() {
        IssuedKey one = node.issue(KeyOwner.of("mallory"));
        IssuedKey other = node.issue(KeyOwner.of("mallory"));
        store.redigest(
                other.key().id(),
                store.find(other.key().id()).orElseThrow().digest(),
                store.find(one.key().id()).orElseThrow().digest());
        String secret = one.text().withText(CharSequence::toString).substring(16, 59);
        String body = "lk_" + other.key().id() + "_" + secret;
        assertThat(node.keys.check(Secret.of(body + Checksums.of(body)))).isInstanceOf(Rejected.class);
        assertThat(node.takes(other)).isFalse();
    }
}
