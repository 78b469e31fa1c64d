package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.apikeys.store.InMemoryApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a key was used, and the digest that is written anew with it: both behind the requests. Closing a node waits until they are written. */
class LastUseTest {

    private final SetClock clock = new SetClock();
    private final InMemoryApiKeyStore store = new InMemoryApiKeyStore();
    private final Node node = Node.of(store, clock);
    private final IssuedKey key = node.issue(KeyOwner.of("ada"));

    private Instant noted() {
        return store.find(key.key().id()).orElseThrow().lastUsed();
    }

    @Test
    void use_isNotedOnceAMinute() {
        Instant first = clock.instant();
        for (int i = 0; i < 60; i++) {
            assertThat(node.takes(key)).isTrue();
            node.passes(Duration.ofMillis(999));
        }
        node.close();
        assertThat(noted()).isEqualTo(first);
        assertThat(node.store.uses)
                .as("the row is read six times, perhaps before the use is written")
                .hasValueBetween(1, 6);
    }

    @Test
    void laterUse_isNotedAfterAMinute() {
        assertThat(node.takes(key)).isTrue();
        node.passes(Duration.ofMinutes(1));
        assertThat(node.takes(key)).isTrue();
        node.close();
        assertThat(noted()).isEqualTo(clock.instant());
    }

    /** The row stays in the cache, so its last use is the one of the request before. */
    @Test
    void useOfACachedKey_isNotedFromAMinuteOn() {
        assertThat(node.takes(key)).isTrue();
        clock.move(Duration.ofMinutes(1).minusMillis(1));
        assertThat(node.takes(key)).isTrue();
        clock.move(Duration.ofMillis(1));
        assertThat(node.takes(key)).isTrue();
        node.close();
        assertThat(node.store.uses).hasValue(2);
        assertThat(node.keys.list("ada").get(0).lastUsed()).contains(clock.instant());
    }

    @Test
    void closedPlugin_notesNoUse() {
        ApiKeysPlugin.of(node.keys).close();
        assertThat(node.takes(key)).isTrue();
        node.close();
        assertThat(node.store.uses).hasValue(0);
    }

    @Test
    void wrongSecret_isNoUse() {
        node.keys.check(Secret.of(node.keys.format().randomKey(key.key().id(), new java.security.SecureRandom())));
        node.close();
        assertThat(node.store.uses).hasValue(0);
    }

    @Test
    void storeThatTakesNoUses_failsNoRequest() {
        node.store.failsToNoteUses = true;
        assertThat(node.takes(key)).isTrue();
        node.passes(Duration.ofMinutes(1));
        assertThat(node.takes(key)).isTrue();
        node.close();
        assertThat(node.store.uses).hasValue(2);
        assertThat(node.takes(key)).as("closed").isTrue();
    }

    @Test
    void secretsThatAreRotated_checkWhatTheyDigested_andAreReplacedByUse() {
        KeyDigests newer = KeyDigests.of(Secret.of("n".repeat(32)), Secret.of(new byte[32]));
        try (Node next = Node.of(store, clock, newer)) {
            assertThat(next.takes(key)).isTrue();
        }
        assertThat(store.find(key.key().id()).orElseThrow().digest()).startsWith(newer.currentId() + ".");
        try (Node last = Node.of(store, clock, KeyDigests.of(Secret.of("n".repeat(32))))) {
            assertThat(last.takes(key)).isTrue();
        }
        node.close();
    }

    /** The record of the last use is shared with the former secret, and with the node before. The renewal is not. */
    @Test
    void useWithinAMinuteOfTheLastRecordedUse_renewsTheDigest() {
        IssuedKey rotated =
                (IssuedKey) node.keys.rotate("ada", key.key().id(), KeyRotation.overlappingBy(Duration.ofHours(1)));
        KeyDigests newer = KeyDigests.of(Secret.of("n".repeat(32)), Secret.of(new byte[32]));
        try (Node next = Node.of(store, clock, newer)) {
            assertThat(next.takes(key)).isTrue();
            assertThat(next.takes(rotated)).isTrue();
        }
        assertThat(store.find(key.key().id()).orElseThrow().digest()).startsWith(newer.currentId() + ".");
        node.close();
    }

    /** Otherwise each request would add a write while the table accepts none. */
    @Test
    void renewalThatFails_isRepeatedWithTheNextReadOfTheRow() {
        Node next = Node.of(store, clock, KeyDigests.of(Secret.of("n".repeat(32)), Secret.of(new byte[32])));
        next.store.failsToRenew = true;
        for (int i = 0; i < 3; i++) {
            assertThat(next.takes(key)).isTrue();
        }
        next.passes(ApiKeySettings.defaults().seenWithin());
        assertThat(next.takes(key)).isTrue();
        next.close();
        assertThat(next.store.renewals).hasValue(2);
        node.close();
    }

    @Test
    void digestThatWasWrittenAnew_isReadAtTheNextUse() {
        KeyDigests newer = KeyDigests.of(Secret.of("n".repeat(32)), Secret.of(new byte[32]));
        Node next = Node.of(store, clock, newer);
        assertThat(next.takes(key)).isTrue();
        next.close();
        assertThat(next.takes(key)).isTrue();
        assertThat(next.store.finds).hasValue(2);
        node.close();
    }

    /** A use renews the digest of the present secret alone. */
    @Test
    void rotatedKey_doesNotNeedTheSecretOfItsFormerDigest() {
        IssuedKey rotated =
                (IssuedKey) node.keys.rotate("ada", key.key().id(), KeyRotation.overlappingBy(Duration.ofHours(1)));
        KeyDigests newer = KeyDigests.of(Secret.of("n".repeat(32)), Secret.of(new byte[32]));
        try (Node next = Node.of(store, clock, newer)) {
            assertThat(next.takes(rotated)).isTrue();
            assertThat(next.takes(key)).isTrue();
        }
        try (Node last = Node.of(store, clock, KeyDigests.of(Secret.of("n".repeat(32))))) {
            assertThat(last.takes(rotated)).isTrue();
            assertThat(last.takes(key)).isFalse();
        }
        node.close();
    }

    @Test
    void digestUnderASecretThatIsNotConfigured_isAnOutage() {
        try (Node stranger = Node.of(store, clock, KeyDigests.of(Secret.of("n".repeat(32))))) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> stranger.takes(key))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining(Node.DIGESTS.currentId());
        }
        node.close();
    }
}
