package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key from its issue to its end. */
class ApiKeysTest {

    private static final KeyOwner ADA = KeyOwner.of("ada");

    private final SetClock clock = new SetClock();
    private final ApiKeyStore store = new InMemoryApiKeyStore();
    private final Node node = Node.of(store, clock);

    @AfterEach
    void close() {
        node.close();
    }

    private Rejected rejected(IssuedKey key) {
        return (Rejected) node.show(key);
    }

    @Test
    void key_provesItsOwner_withItsScopes_andItsId() {
        IssuedKey key = node.issue(ADA, "orders:read", "orders:write");
        assertThat(node.show(key)).isInstanceOfSatisfying(Authenticated.class, login -> {
            assertThat(login.subject().id()).isEqualTo("ada");
            assertThat(login.subject().authorities())
                    .containsExactlyInAnyOrder("SCOPE_orders:read", "SCOPE_orders:write");
            assertThat(login.subject().claims())
                    .containsEntry(Subject.KEY_CLAIM, key.key().id());
            assertThat(login.subject().isOwnLogin()).isFalse();
            assertThat(login.validUntil()).isEqualTo(Instant.MAX);
        });
    }

    @Test
    void key_isGoodUntilItsEnd_andNotAtIt() {
        IssuedKey key = (IssuedKey) node.keys.issue(ADA, KeyRequest.named("ci").lasting(Duration.ofDays(1)));
        Instant end = clock.instant().plus(Duration.ofDays(1));
        assertThat(key.key().expires()).contains(end);
        node.passes(Duration.ofDays(1).minusMillis(1));
        assertThat(node.show(key)).isEqualTo(new Authenticated(((Authenticated) node.show(key)).subject(), end));
        node.passes(Duration.ofMillis(1));
        assertThat(rejected(key).reason()).isEqualTo(RejectionReason.CREDENTIALS_EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nobodyhasit", "nobodyhasit\u00e9", "nobodyhasit\0", "nobodyhasit00"})
    void textThatIsNoId_isNotLookedUp(String id) {
        node.store.isDown = true;
        assertThat(node.keys.rename("ada", id, "nightly")).isFalse();
        assertThat(node.keys.rotate("ada", id, KeyRotation.overlappingBy(Duration.ZERO)))
                .isEqualTo(KeyRefusal.NO_SUCH_KEY);
        assertThat(node.keys.revoke("ada", id)).isFalse();
    }

    @Test
    void formerSecret_isGoodForTheOverlap_andNotAtItsEnd() {
        IssuedKey before = node.issue(ADA, "orders:read");
        assertThat(node.takes(before)).isTrue();
        IssuedKey after =
                (IssuedKey) node.keys.rotate("ada", before.key().id(), KeyRotation.overlappingBy(Duration.ofHours(1)));
        assertThat(after.key().id()).isEqualTo(before.key().id());
        Instant end = clock.instant().plus(Duration.ofHours(1));
        assertThat(after.key().formerUntil()).contains(end);
        assertThat(((Authenticated) node.show(before)).validUntil()).isEqualTo(end);
        assertThat(node.show(after))
                .as("the same subject")
                .isEqualTo(new Authenticated(((Authenticated) node.show(before)).subject(), Instant.MAX));
        node.passes(Duration.ofHours(1).minusMillis(1));
        assertThat(node.takes(before)).isTrue();
        node.passes(Duration.ofMillis(1));
        assertThat(rejected(before).reason()).isEqualTo(RejectionReason.CREDENTIALS_EXPIRED);
        assertThat(node.takes(after)).isTrue();
    }

    @Test
    void secondRotation_waitsForTheOverlapOfTheFirst() {
        IssuedKey first = node.issue(ADA);
        KeyRotation hour = KeyRotation.overlappingBy(Duration.ofHours(1));
        IssuedKey second = (IssuedKey) node.keys.rotate("ada", first.key().id(), hour);
        node.passes(Duration.ofHours(1).minusMillis(1));
        assertThat(node.keys.rotate("ada", first.key().id(), hour)).isEqualTo(KeyRefusal.ROTATED_ALREADY);
        assertThat(List.of(node.takes(first), node.takes(second))).containsExactly(true, true);
        node.passes(Duration.ofMillis(1));
        IssuedKey third = (IssuedKey) node.keys.rotate("ada", first.key().id(), hour);
        assertThat(List.of(node.takes(first), node.takes(second), node.takes(third)))
                .containsExactly(false, true, true);
    }

    @Test
    void secondRotationWithoutOverlap_endsBothFormerSecretsAtOnce() {
        IssuedKey first = node.issue(ADA);
        String id = first.key().id();
        IssuedKey second = (IssuedKey) node.keys.rotate("ada", id, KeyRotation.overlappingBy(Duration.ofHours(1)));
        IssuedKey third = (IssuedKey) node.keys.rotate("ada", id, KeyRotation.overlappingBy(Duration.ZERO));
        assertThat(List.of(node.takes(first), node.takes(second), node.takes(third)))
                .containsExactly(false, false, true);
    }

    @Test
    void ofManyRotationsAtOnce_oneIsDone_theOthersConflict_andTheFirstSecretKeepsItsOverlap() throws Exception {
        IssuedKey first = node.issue(ADA);
        KeyRotation hour = KeyRotation.overlappingBy(Duration.ofHours(1));
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<KeyOutcome> outcomes = new ArrayList<>();
        try {
            Callable<KeyOutcome> rotation =
                    () -> node.keys.rotate("ada", first.key().id(), hour);
            for (Future<KeyOutcome> each : threads.invokeAll(Collections.nCopies(6, rotation))) {
                outcomes.add(each.get());
            }
        } finally {
            threads.shutdownNow();
        }
        List<IssuedKey> done = outcomes.stream()
                .filter(IssuedKey.class::isInstance)
                .map(IssuedKey.class::cast)
                .toList();
        assertThat(done)
                .singleElement()
                .satisfies(next -> assertThat(node.takes(next)).isTrue());
        assertThat(outcomes.stream().filter(KeyRefusal.ROTATED_ALREADY::equals)).hasSize(5);
        assertThat(node.takes(first)).isTrue();
    }

    @Test
    void rotationThatAnotherOneOvertakes_isAConflict() {
        IssuedKey first = node.issue(ADA);
        KeyRotation atOnce = KeyRotation.overlappingBy(Duration.ZERO);
        List<KeyOutcome> winner = new ArrayList<>();
        node.store.beforeItAnswers = () -> {
            node.store.beforeItAnswers = () -> {};
            winner.add(node.keys.rotate("ada", first.key().id(), atOnce));
        };
        assertThat(node.keys.rotate("ada", first.key().id(), atOnce)).isEqualTo(KeyRefusal.ROTATED_ALREADY);
        assertThat(node.takes((IssuedKey) winner.get(0))).isTrue();
    }

    @Test
    void rotationWhoseDigestIsWrittenAnewMeanwhile_isDone() {
        IssuedKey first = node.issue(ADA);
        String id = first.key().id();
        node.store.beforeItAnswers = () -> {
            node.store.beforeItAnswers = () -> {};
            store.redigest(id, store.find(id).orElseThrow().digest(), "other.digest");
        };
        assertThat(node.keys.rotate("ada", id, KeyRotation.overlappingBy(Duration.ZERO)))
                .isInstanceOf(IssuedKey.class);
    }

    @Test
    void rotationWhoseDigestIsWrittenAnewEachTime_endsAfterThreeTries() {
        String id = node.issue(ADA).key().id();
        node.store.beforeItAnswers =
                () -> store.redigest(id, store.find(id).orElseThrow().digest(), "other." + node.store.finds.get());
        assertThat(node.keys.rotate("ada", id, KeyRotation.overlappingBy(Duration.ZERO)))
                .isEqualTo(KeyRefusal.ROTATED_ALREADY);
        assertThat(node.store.finds).as("before each try, and after the last").hasValue(4);
    }

    @Test
    void rotationOfAKeyThatIsRevokedMeanwhile_findsNone() {
        IssuedKey first = node.issue(ADA);
        node.store.beforeItAnswers = () -> store.delete("ada", first.key().id());
        assertThat(node.keys.rotate("ada", first.key().id(), KeyRotation.overlappingBy(Duration.ZERO)))
                .isEqualTo(KeyRefusal.NO_SUCH_KEY);
    }

    @Test
    void rotationWithoutOverlap_endsTheFormerSecretAtOnce() {
        IssuedKey before = node.issue(ADA);
        node.takes(before);
        node.keys.rotate("ada", before.key().id(), KeyRotation.overlappingBy(Duration.ZERO));
        assertThat(node.takes(before)).isFalse();
    }

    @Test
    void keyThatIsOver_isNotWokenByTheOverlapOfItsRotation() {
        IssuedKey before =
                (IssuedKey) node.keys.issue(ADA, KeyRequest.named("ci").lasting(Duration.ofDays(1)));
        node.passes(Duration.ofDays(2));
        KeyRotation rotation = KeyRotation.overlappingBy(Duration.ofHours(1)).lasting(Duration.ofDays(1));
        IssuedKey after = (IssuedKey) node.keys.rotate("ada", before.key().id(), rotation);
        assertThat(node.takes(before)).isFalse();
        assertThat(node.takes(after)).isTrue();
    }

    @Test
    void rotation_isOfTheAccountsOwnKeys() {
        IssuedKey key = node.issue(ADA);
        KeyRotation now = KeyRotation.overlappingBy(Duration.ZERO);
        assertThat(node.keys.rotate("bob", key.key().id(), now)).isEqualTo(KeyRefusal.NO_SUCH_KEY);
        assertThat(node.keys.rotate("ada", "nobodyhasit0", now)).isEqualTo(KeyRefusal.NO_SUCH_KEY);
        assertThat(node.takes(key)).isTrue();
    }

    @Test
    void revokedKey_isGone_andNobodyElsesIs() {
        IssuedKey key = node.issue(ADA);
        IssuedKey ofBob = node.issue(KeyOwner.of("bob"));
        assertThat(node.keys.revoke("bob", key.key().id())).isFalse();
        assertThat(node.takes(key)).isTrue();
        assertThat(node.keys.revoke("ada", key.key().id())).isTrue();
        assertThat(node.keys.revoke("ada", key.key().id())).isFalse();
        assertThat(node.takes(key)).isFalse();
        assertThat(node.takes(ofBob)).isTrue();
        assertThat(node.keys.list("ada")).isEmpty();
    }

    @Test
    void keysIssuedBefore_areRevokedAtOnce_andLaterOnesStay() {
        IssuedKey before = node.issue(ADA);
        assertThat(node.takes(before)).isTrue();
        clock.move(Duration.ofMillis(2));
        IssuedKey after = node.issue(ADA);
        ApiKeysPlugin plugin = ApiKeysPlugin.of(node.keys);
        assertThat(plugin.revokeAll("bob", clock.instant())).isFalse();
        assertThat(plugin.revokeAll("ada", clock.instant().minusMillis(1))).isTrue();
        assertThat(node.takes(before)).isFalse();
        assertThat(node.takes(after)).isTrue();
    }

    @Test
    void wrongSecret_unknownId_revoked_expired_andDamaged_areRejected_andNoneIsAnOutage() {
        IssuedKey key = node.issue(ADA);
        String text = key.text().withText(CharSequence::toString);
        java.security.SecureRandom random = new java.security.SecureRandom();
        List<String> wrong = List.of(
                node.keys.format().randomKey(key.key().id(), random),
                node.keys.format().randomKey("nobodyhasit0", random),
                text.substring(0, text.length() - 1),
                text + "x",
                "lk_",
                "");
        for (String each : wrong) {
            assertThat(node.keys.check(Secret.of(each))).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void typingError_costsNoLookUp() {
        String text = node.issue(ADA).text().withText(CharSequence::toString);
        char other = text.charAt(20) == 'a' ? 'b' : 'a';
        node.keys.check(Secret.of(text.substring(0, 20) + other + text.substring(21)));
        assertThat(node.store.finds).hasValue(0);
    }

    @Test
    void account_hasAsManyKeysAsItMay_andRoomAgainAfterARevocation() {
        IssuedKey first = node.issue(ADA);
        node.issue(ADA);
        node.issue(ADA);
        assertThat(node.keys.issue(ADA, KeyRequest.named("ci"))).isEqualTo(KeyRefusal.TOO_MANY);
        assertThat(node.keys.rotate("ada", first.key().id(), KeyRotation.overlappingBy(Duration.ofDays(1))))
                .as("a rotation needs no room")
                .isInstanceOf(IssuedKey.class);
        assertThat(node.keys.issue(KeyOwner.of("bob"), KeyRequest.named("ci"))).isInstanceOf(IssuedKey.class);
        node.keys.revoke("ada", first.key().id());
        assertThat(node.keys.issue(ADA, KeyRequest.named("ci"))).isInstanceOf(IssuedKey.class);
    }

    @Test
    void keyWhosePlaceAnotherOneTakesMeanwhile_isNotIssued() {
        node.issue(ADA);
        node.issue(ADA);
        node.store.beforeItWrites = () -> {
            node.store.beforeItWrites = () -> {};
            node.issue(ADA);
        };
        assertThat(node.keys.issue(ADA, KeyRequest.named("ci"))).isEqualTo(KeyRefusal.TOO_MANY);
        assertThat(node.keys.list("ada")).hasSize(3);
    }

    @Test
    void idThatExists_isReplacedByAnother_atMostTwice() {
        node.store.idsThatExist = 2;
        assertThat(node.takes(node.issue(ADA))).isTrue();
        node.store.idsThatExist = 3;
        assertThatThrownBy(() -> node.issue(ADA)).isInstanceOf(AuthUnavailableException.class);
        assertThat(node.store.idsThatExist).isZero();
        assertThat(node.keys.list("ada")).hasSize(1);
    }

    @Test
    void ofManyIssuedAtOnce_thereAreAsManyAsThereMayBe() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<KeyOutcome> outcomes = new ArrayList<>();
        try {
            List<Callable<KeyOutcome>> wishes = IntStream.range(0, 40)
                    .<Callable<KeyOutcome>>mapToObj(i -> () -> node.keys.issue(ADA, KeyRequest.named("ci" + i)))
                    .toList();
            for (Future<KeyOutcome> each : threads.invokeAll(wishes)) {
                outcomes.add(each.get());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(outcomes).filteredOn(KeyRefusal.TOO_MANY::equals).hasSize(37);
        assertThat(outcomes)
                .filteredOn(IssuedKey.class::isInstance)
                .hasSize(3)
                .allSatisfy(issued -> assertThat(node.takes((IssuedKey) issued)).isTrue());
        assertThat(node.keys.list("ada")).hasSize(3);
    }

    @Test
    void listedKeys_showNothingOfTheirSecrets() {
        IssuedKey key = node.issue(ADA, "orders:read");
        assertThat(node.keys.rename("ada", key.key().id(), "nightly job")).isTrue();
        assertThat(node.keys.list("ada")).singleElement().satisfies(shown -> {
            assertThat(shown.id()).isEqualTo(key.key().id());
            assertThat(shown.name()).isEqualTo("nightly job");
            assertThat(shown.scopes()).containsExactly("orders:read");
            assertThat(shown.lastUsed()).isEmpty();
        });
        assertThat(key.key()).hasToString("ApiKey[" + key.key().id() + "]");
        String secret = key.text().withText(CharSequence::toString).substring(16);
        assertThat(key + " " + key.key() + " " + store.ofAccount("ada") + " " + new ApiKeyCredentials(key.text()))
                .doesNotContain(secret);
        assertThat(store.ofAccount("ada").get(0).digest())
                .startsWith(Node.DIGESTS.currentId() + ".")
                .doesNotContain(secret);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a\u0000b",
                "a\nb",
                "\ud800",
                "\udfff",
                "x123456789x123456789x123456789x123456789x123456789x1"
                        + "23456789x123456789x123456789x123456789x123456789x"
            })
    void nameThatIsNone_isRefused(String name) {
        IssuedKey key = node.issue(ADA);
        assertThatThrownBy(() -> KeyRequest.named(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> node.keys.rename("ada", key.key().id(), name))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\"b",
                "a\\b",
                "é",
                "x123456789x123456789x123456789x123456789x123456789x12345" + "6789x1234x"
            })
    void scopeThatIsNone_isRefused(String scope) {
        assertThatThrownBy(() -> KeyRequest.named("ci", scope)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tooManyScopes_andTimesOutOfBounds_areRefused() {
        String[] many = IntStream.range(0, 51).mapToObj(i -> "s" + i).toArray(String[]::new);
        assertThatThrownBy(() -> KeyRequest.named("ci", many)).isInstanceOf(IllegalArgumentException.class);
        KeyRequest request = KeyRequest.named("ci");
        for (Duration bad : List.of(
                Duration.ZERO, Duration.ofNanos(1), Duration.ofSeconds(-1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> request.lasting(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> KeyRotation.overlappingBy(Duration.ofDays(31)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyRotation.overlappingBy(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(KeyRotation.overlappingBy(Duration.ofDays(30)).overlap()).isEqualTo(Duration.ofDays(30));
    }

    @Test
    void longestNamesAndTimes_areTaken() {
        String longest = "x".repeat(100);
        KeyRequest request =
                KeyRequest.named(longest).lasting(Duration.ofMillis(1)).lasting(Duration.ofDays(36_500));
        assertThat(((IssuedKey) node.keys.issue(ADA, request)).key().name()).isEqualTo(longest);
        String[] most = IntStream.range(0, 50).mapToObj(i -> "s" + i).toArray(String[]::new);
        assertThat(KeyRequest.named("ci", most).scopes()).hasSize(50);
        assertThatThrownBy(() -> new KeyRotation(Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Without the lengths in the digest, a writer of the table could move a key between accounts. */
    @Test
    void bindingOfADigest_tellsItsFieldsApart() {
        byte[] binding = Reading.bindingOf("id", new KeyOwner("ada", "users"), "read");
        assertThat(binding).isEqualTo(Reading.bindingOf("id", new KeyOwner("ada", "users"), "read"));
        assertThat(binding).isNotEqualTo(Reading.bindingOf("idu", new KeyOwner("ada", "sers"), "read"));
        assertThat(binding).isNotEqualTo(Reading.bindingOf("id", new KeyOwner("sada", "user"), "read"));
        assertThat(binding).isNotEqualTo(Reading.bindingOf("id", new KeyOwner("adar", "users"), "ead"));
    }

    @Test
    void renaming_tellsWhetherTheAccountHasTheKey() {
        IssuedKey key = node.issue(ADA);
        assertThat(node.keys.rename("ada", key.key().id(), "nightly")).isTrue();
        assertThat(node.keys.rename("grace", key.key().id(), "mine")).isFalse();
        assertThat(node.keys.list("ada"))
                .singleElement()
                .satisfies(listed -> assertThat(listed.name()).isEqualTo("nightly"));
    }

    @Test
    void scopes_haveUpTo64Characters_andAThousandInAll() {
        String longest = "s".repeat(64);
        assertThat(KeyRequest.named("ci", longest).scopes()).containsExactly(longest);
        assertThatThrownBy(() -> KeyRequest.named("ci", longest + "s")).isInstanceOf(IllegalArgumentException.class);
        // 40 scopes of 24 characters and the blanks between: 999. Then 1,000, then 1,001.
        String[] scopes = IntStream.range(0, 40)
                .mapToObj(i -> "s".repeat(22) + "%02d".formatted(i))
                .toArray(String[]::new);
        assertThat(KeyRequest.named("ci", scopes).scopes()).hasSize(40);
        scopes[0] += "x";
        assertThat(KeyRequest.named("ci", scopes).scopes()).hasSize(40);
        scopes[1] += "x";
        assertThatThrownBy(() -> KeyRequest.named("ci", scopes)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void scopesOfAnAccount_areItsOwn_andThoseOfItsAuthorities() {
        KeyScopes scopes = new KeyScopes(java.util.Map.of("read", Set.of("ROLE_USER", "ROLE_ADMIN")));
        assertThat(scopes.mayBeGiven("read", Set.of("ROLE_ADMIN"))).isTrue();
        assertThat(scopes.mayBeGiven("read", Set.of("SCOPE_read"))).isTrue();
        assertThat(scopes.mayBeGiven("read", Set.of("read", "SCOPE_write"))).isFalse();
        assertThat(scopes.mayBeGiven("write", Set.of("ROLE_ADMIN"))).isFalse();
    }

    @Test
    void issuedKey_isFoundByThePatternForScanners() {
        String text = node.issue(ADA).text().withText(CharSequence::toString);
        assertThat(node.keys.pattern().matcher("key=" + text + ";").find()).isTrue();
    }

    @Test
    void settingsOutOfTheirBounds_areRefused() {
        ApiKeySettings settings = ApiKeySettings.defaults();
        assertThatThrownBy(() -> settings.withSeenWithin(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withSeenWithin(Duration.ofMinutes(61)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(settings.withSeenWithin(Duration.ofHours(1)).seenWithin()).isEqualTo(Duration.ofHours(1));
        assertThatThrownBy(() -> settings.withSeenWithin(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withMostPerAccount(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withMostPerAccount(10_001)).isInstanceOf(IllegalArgumentException.class);
        assertThat(settings.withMostPerAccount(1).withMostPerAccount(10_000).mostPerAccount())
                .isEqualTo(10_000);
        assertThat(settings.withPrefix("acme_").prefix()).isEqualTo("acme_");
        assertThatThrownBy(() -> settings.withPrefix("LK")).isInstanceOf(IllegalArgumentException.class);
        assertThat(settings.withScopes(KeyScopes.ofTheAccount()).scopes().byAuthority())
                .isEqualTo(java.util.Map.<String, Set<String>>of());
    }
}
