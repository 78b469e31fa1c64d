package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.StoreRevoker;
import dev.latchkey.plugins.apikeys.OwnApiKeys.OwnerProof;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.apikeys.store.StoredKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an owner has to show to get a key, and what a thief of a session cannot. */
class OwnApiKeysTest {

    private static final KeyRequest WANTED = KeyRequest.named("ci", "orders:read");

    private final FakeStore store = new FakeStore(new InMemoryApiKeyStore());
    private String password = "right";
    private boolean isDown;
    private final ApiKeys keys =
            ApiKeys.of(store, KeyDigests.of(Secret.of(new byte[32])), ApiKeySettings.defaults(), this::accountOf);
    private final AuthChain chain = AuthChain.of(new Passwords(), new Codes(), ApiKeysPlugin.of(keys));
    private final OwnApiKeys own = new OwnApiKeys(chain, keys);

    @AfterEach
    void close() {
        chain.close();
    }

    private Optional<Verdict> accountOf(String plugin, String account) {
        return chain.decidedLogins().account(plugin, account);
    }

    /** The password of each account is {@code right} at first; names that begin with x have no account. */
    private final class Passwords implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.password().matches(Secret.of(password))
                    ? login(given.username())
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        private Authenticated login(String name) {
            Authenticated login = Authenticated.as(Subject.of(name).withAuthorities("SCOPE_orders:read"));
            return name.startsWith("x") ? login : login.withStamp(Secret.of(password));
        }

        @Override
        public Optional<Verdict> account(String name) {
            if (isDown) {
                throw AuthUnavailableException.outage("down");
            }
            return name.startsWith("x") ? Optional.empty() : Optional.of(login(name));
        }
    }

    /** Replaces an outdated hash after the first login, so the account has another stamp than that login. */
    private record ForwardingPasswords(AtomicInteger checks) implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return login(given.username(), checks.getAndIncrement() == 0 ? "old hash" : "new hash");
        }

        private static Authenticated login(String name, String hash) {
            return Authenticated.as(Subject.of(name).withAuthorities("SCOPE_orders:read"))
                    .withStamp(Secret.of(hash));
        }

        @Override
        public Optional<Verdict> account(String name) {
            return Optional.of(login(name, "new hash"));
        }
    }

    /** Answers with the stamp of the former password, and the account has another. */
    private static final class CachedPasswords implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return ForwardingPasswords.login(given.username(), "former");
        }

        @Override
        public Optional<Verdict> account(String name) {
            return Optional.of(ForwardingPasswords.login(name, "present"));
        }
    }

    /** Creates the account at this time. */
    private record CreatingPasswords(Instant created) implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return ForwardingPasswords.login(given.username(), "hash").withCreated(created);
        }

        @Override
        public Optional<Verdict> account(String name) {
            return Optional.of(ForwardingPasswords.login(name, "hash").withCreated(created));
        }
    }

    /** Asks {@code eve} for a code, which is {@code 123456}. */
    private static final class Codes implements LoginStep {

        @Override
        public String name() {
            return "codes";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return login.subject().id().equals("eve") ? Optional.of(Challenged.by(login, "otp")) : Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.code().orElseThrow().matches(Secret.of("123456"))
                    ? Passed.step()
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    private static OwnerProof proof(String name, String password, String code) {
        return new OwnerProof(
                new PasswordCredentials(name, Secret.of(password)), Map.of(ChallengeResponse.CODE, Secret.of(code)));
    }

    private KeyOutcome issue(String account, OwnerProof proof) {
        return own.issue(account, proof, WANTED, RequestContext.none());
    }

    private KeyOwner ownerOf(KeyOutcome outcome) {
        return store.find(((IssuedKey) outcome).key().id()).orElseThrow().owner();
    }

    @Test
    void password_isAskedForOnceMore_andIsTheAccountsOwn() {
        assertThat(issue("ada", proof("ada", "wrong", ""))).isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(issue("ada", proof("bob", "right", ""))).isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(store.ofAccount("ada")).isEmpty();
        assertThat(store.ofAccount("bob")).isEmpty();
        assertThat(issue("ada", proof("ada", "right", ""))).isInstanceOf(IssuedKey.class);
    }

    @Test
    void accountWithASecondStep_getsAKeyWithItsCode_andNotWithout() {
        assertThat(issue("eve", proof("eve", "right", ""))).isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(issue("eve", proof("eve", "right", "654321"))).isEqualTo(KeyRefusal.NOT_PROVED);
        KeyOutcome issued = issue("eve", proof("eve", "right", "123456"));
        assertThat(issued).isInstanceOf(IssuedKey.class);
        String id = ((IssuedKey) issued).key().id();
        KeyRotation now = KeyRotation.overlappingBy(java.time.Duration.ZERO);
        assertThat(own.rotate("eve", proof("eve", "right", ""), id, now, RequestContext.none()))
                .isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(own.rotate("eve", proof("eve", "right", "123456"), id, now, RequestContext.none()))
                .isInstanceOf(IssuedKey.class);
    }

    @Test
    void session_isEnoughToListRenameAndRevoke_theAccountsOwnKeys() {
        String id = ((IssuedKey) issue("ada", proof("ada", "right", ""))).key().id();
        assertThat(own.list("ada")).extracting(ApiKey::id).containsExactly(id);
        assertThat(own.list("bob")).isEmpty();
        assertThat(own.rename("bob", id, "mine")).isFalse();
        assertThat(own.rename("ada", id, "nightly")).isTrue();
        assertThat(own.list("ada")).extracting(ApiKey::name).containsExactly("nightly");
        assertThat(own.revoke("bob", id)).isFalse();
        assertThat(own.revoke("ada", id)).isTrue();
        assertThat(own.list("ada")).isEmpty();
    }

    @Test
    void key_isItselfNotAskedForASecondStep() {
        IssuedKey issued = (IssuedKey) issue("eve", proof("eve", "right", "123456"));
        assertThat(chain.authenticate(new ApiKeyCredentials(issued.text()))).isInstanceOf(Authenticated.class);
    }

    @Test
    void owner_isAskedAboutLater_whereThePluginKnowsAccounts() {
        assertThat(ownerOf(issue("ada", proof("ada", "right", "")))).isEqualTo(new KeyOwner("ada", "passwords"));
        assertThat(ownerOf(issue("xenia", proof("xenia", "right", "")))).isEqualTo(KeyOwner.of("xenia"));
    }

    @Test
    void passwordChangedBetweenItsProofAndTheKey_leavesNoKey() {
        store.beforeItWrites = () -> {
            password = "new";
            chain.revokeAll("eve", Instant.now());
        };
        assertThat(issue("eve", proof("eve", "right", "123456"))).isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(store.ofAccount("eve")).isEmpty();
        store.beforeItWrites = () -> {};
        assertThat(issue("eve", proof("eve", "new", "123456"))).isInstanceOf(IssuedKey.class);
    }

    @Test
    void passwordChangedBetweenItsProofAndTheNewSecret_endsTheKey() {
        String id = ((IssuedKey) issue("ada", proof("ada", "right", ""))).key().id();
        store.beforeItWrites = () -> password = "new";
        KeyRotation now = KeyRotation.overlappingBy(Duration.ZERO);
        assertThat(own.rotate("ada", proof("ada", "right", ""), id, now, RequestContext.none()))
                .isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    @Test
    void hashReplacedByTheLoginItself_givesAKey() {
        AtomicInteger checks = new AtomicInteger();
        LoginSource<PasswordCredentials> rehashing = new ForwardingPasswords(checks);
        AuthChain other = AuthChain.of(rehashing, new Codes(), ApiKeysPlugin.of(keys));
        assertThat(new OwnApiKeys(other, keys)
                        .issue("eve", proof("eve", "right", "123456"), WANTED, RequestContext.none()))
                .isInstanceOf(IssuedKey.class);
        assertThat(checks).hasValue(2);
    }

    /** The cache of a directory's plugin knows the former password for some minutes. */
    @Test
    void formerPasswordThatACacheStillKnows_givesNoKey() {
        LoginSource<PasswordCredentials> cached = new CachedPasswords();
        AuthChain other = AuthChain.of(cached, ApiKeysPlugin.of(keys));
        assertThat(new OwnApiKeys(other, keys).issue("ada", proof("ada", "former", ""), WANTED, RequestContext.none()))
                .isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    @Test
    void accountRevokedBetweenTheProofAndTheKey_getsNoKey_withoutAStampToo() {
        AuthChain revoking = chain.withRevoker(new StoreRevoker(new InMemoryRevocationStore(Duration.ofHours(1))));
        store.beforeItWrites = () -> revoking.revokeAll("xenia", Instant.now());
        assertThat(new OwnApiKeys(revoking, keys)
                        .issue("xenia", proof("xenia", "right", ""), WANTED, RequestContext.none()))
                .isEqualTo(KeyRefusal.NOT_PROVED);
        assertThat(store.ofAccount("xenia")).isEmpty();
    }

    /** The check after the write finds no record yet, so the revocation itself has to find the row. */
    @Test
    void keyIssuedJustBeforeTheRecordOfARevocation_isRevoked() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        ApiKeys keysOfNow = keys.withClock(() -> now);
        AtomicReference<KeyOutcome> outcome = new AtomicReference<>();
        AuthChain before = AuthChain.of(List.of(new Passwords(), ApiKeysPlugin.of(keysOfNow)), () -> now);
        AuthChain revoking = before.withRevoker(new Recording(() -> outcome.set(new OwnApiKeys(before, keysOfNow)
                .issue("ada", proof("ada", "right", ""), WANTED, RequestContext.none()))));
        assertThat(revoking.revokeAll("ada", now)).isTrue();
        assertThat(outcome.get()).isInstanceOf(IssuedKey.class);
        assertThat(store.ofAccount("ada")).isEmpty();
        revoking.close();
    }

    /** The check after the write finds no record yet, and the key is written after the time of the revocation. */
    @Test
    void keyOfALoginThatBeganBeforeARevocation_isRevoked() {
        Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        KeyOutcome outcome = issueDuringARevocation(new Passwords(), begun, begun.plusSeconds(2), begun.plusSeconds(1));
        assertThat(outcome).isInstanceOf(IssuedKey.class);
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    /** A directory's plugin creates the account within the first login. */
    @Test
    void keyOfALoginThatCreatedItsAccount_belongsToTheAccount() {
        Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        LoginSource<PasswordCredentials> creating = new CreatingPasswords(begun.plusSeconds(1));
        AuthChain other = AuthChain.of(List.of(creating, ApiKeysPlugin.of(keys)), () -> begun);
        ApiKeys later = new ApiKeys(
                store,
                KeyDigests.of(Secret.of(new byte[32])),
                ApiKeySettings.defaults(),
                (plugin, account) -> other.decidedLogins().account(plugin, account),
                () -> begun.plusSeconds(2),
                System::nanoTime);
        KeyOutcome outcome =
                new OwnApiKeys(other, later).issue("ada", proof("ada", "right", ""), WANTED, RequestContext.none());
        assertThat(((IssuedKey) outcome).key().created()).isEqualTo(begun.plusSeconds(1));
        assertThat(later.list("ada")).hasSize(1);
        later.close();
    }

    private KeyOutcome issueDuringARevocation(
            LoginSource<PasswordCredentials> passwords, Instant begun, Instant written, Instant notBefore) {
        ApiKeys keysOfLater = keys.withClock(() -> written);
        AtomicReference<KeyOutcome> outcome = new AtomicReference<>();
        AuthChain before = AuthChain.of(List.of(passwords, ApiKeysPlugin.of(keysOfLater)), () -> begun);
        AuthChain revoking = before.withRevoker(new Recording(() -> outcome.set(new OwnApiKeys(before, keysOfLater)
                .issue("ada", proof("ada", "right", ""), WANTED, RequestContext.none()))));
        assertThat(revoking.revokeAll("ada", notBefore)).isTrue();
        revoking.close();
        return outcome.get();
    }

    /** A record of revocations that is about to be written. */
    private record Recording(Runnable beforeTheWrite) implements CredentialsRevoker {

        @Override
        public String name() {
            return "record";
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return false;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            beforeTheWrite.run();
            return true;
        }
    }

    /** A revocation covers its whole second. */
    @Test
    void keyInTheSecondOfARevocation_isRefused_andIssuedAfterwards() {
        Instant second = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        AtomicReference<Instant> now = new AtomicReference<>(second.plusMillis(999));
        AuthChain revoking = AuthChain.of(List.of(new Passwords(), ApiKeysPlugin.of(keys)), now::get)
                .withRevoker(new StoreRevoker(new InMemoryRevocationStore(Duration.ofHours(1))));
        revoking.revokeAll("ada", second);
        OwnApiKeys ofTheSecond = new OwnApiKeys(revoking, keys);
        assertThat(ofTheSecond.issue("ada", proof("ada", "right", ""), WANTED, RequestContext.none()))
                .isEqualTo(KeyRefusal.NOT_PROVED);
        now.set(second.plusSeconds(1));
        assertThat(ofTheSecond.issue("ada", proof("ada", "right", ""), WANTED, RequestContext.none()))
                .isInstanceOf(IssuedKey.class);
    }

    @Test
    void outageOfTheLastCheck_leavesNoKey() {
        store.beforeItWrites = () -> isDown = true;
        assertThatThrownBy(() -> issue("ada", proof("ada", "right", ""))).isInstanceOf(AuthUnavailableException.class);
        assertThat(store.ofAccount("ada")).isEmpty();
    }

    /** Without an overlap, the new secret that nobody got would otherwise replace the secret in use. */
    @Test
    void outageOfTheLastCheckOfARotation_leavesTheKeyAsBefore() {
        IssuedKey issued = (IssuedKey) issue("ada", proof("ada", "right", ""));
        List<StoredKey> before = store.ofAccount("ada");
        store.beforeItWrites = () -> isDown = true;
        KeyRotation now = KeyRotation.overlappingBy(Duration.ZERO);
        assertThatThrownBy(() -> own.rotate(
                        "ada", proof("ada", "right", ""), issued.key().id(), now, RequestContext.none()))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(store.ofAccount("ada")).isEqualTo(before);
        isDown = false;
        assertThat(chain.authenticate(new ApiKeyCredentials(issued.text()))).isInstanceOf(Authenticated.class);
    }

    @Test
    void scopeThatTheLoginDoesNotHave_isRefused() {
        KeyRequest more = KeyRequest.named("ci", "orders:read", "orders:write");
        assertThat(own.issue("ada", proof("ada", "right", ""), more, RequestContext.none()))
                .isEqualTo(KeyRefusal.SCOPE_NOT_HELD);
        assertThat(store.ofAccount("ada")).isEmpty();
    }
}
