package dev.latchkey.auth.spring.login;

import static dev.latchkey.auth.spring.login.RefreshScene.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.StoredLogin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store that has another state when a refresh writes than it had when the refresh read, as after a failover. */
class RefreshFailoverTest {

    private final RefreshScene scene = new RefreshScene();
    private final String first = text(scene.login());
    private final String id = RefreshToken.parse(first).orElseThrow().sessionId();
    private final StoredLogin atTheStart = stored();

    /** What happens to the store right before each of the next replacements. */
    private final Deque<Runnable> beforeReplacements = new ArrayDeque<>();

    RefreshFailoverTest() {
        scene.beforeLoginsAreAsked = method -> {
            Runnable next = method.equals("replace") ? beforeReplacements.poll() : null;
            if (next != null) {
                next.run();
            }
        };
    }

    @Test
    void retryDuringAFailover_isAnsweredWithATokenThatTheStoreHas() {
        refreshed(first);
        beforeReplacements.add(() -> goBackTo(atTheStart));
        assertThatStoreHas(refreshed(first));
    }

    @Test
    void firstUseThatLosesToAnother_andThenToAFailover_isAnsweredWithATokenThatTheStoreHas() {
        beforeReplacements.addAll(List.of(
                () -> refreshed(first),
                () -> {}, // the other one's
                () -> goBackTo(atTheStart)));
        assertThatStoreHas(refreshed(first));
        assertThat(beforeReplacements).isEmpty();
    }

    @Test
    void retryWhoseWinnerHasGoneOn_isAnsweredWithTheTokenAfterThat() {
        String second = text(refreshed(first));
        beforeReplacements.addAll(List.of(() -> refreshed(second), () -> {}));
        IssuedTokens answer = refreshed(first);
        assertThat(text(answer)).isNotEqualTo(second);
        assertThatStoreHas(answer);
    }

    @Test
    void retryWhoseLoginEndsMeanwhile_isRefused() {
        refreshed(first);
        beforeReplacements.add(() -> scene.store.end(id));
        assertThat(scene.logins.refresh(first)).isEmpty();
    }

    @Test
    void storeThatIsAnotherEachTime_isAnOutage_andEndsNothing() {
        refreshed(first);
        StoredLogin replaced = stored();
        for (int i = 0; i < 10; i++) {
            beforeReplacements.add(() -> goBackTo(atTheStart));
            beforeReplacements.add(() -> goBackTo(replaced));
        }
        scene.askedOfLogins.clear();
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> scene.logins.refresh(first))
                .withMessageContaining("at each of 4 attempts");
        assertThat(scene.askedOfLogins).filteredOn("replace"::equals).hasSize(4);
        beforeReplacements.clear();
        assertThatStoreHas(refreshed(first));
        assertThat(scene.events).isEmpty();
    }

    private void assertThatStoreHas(IssuedTokens tokens) {
        assertThat(stored().tokenHash())
                .isEqualTo(tokens.refresh().orElseThrow().hash());
        assertThat(scene.isAccepted(tokens)).isTrue();
        assertThat(scene.logins.refresh(text(tokens))).isPresent();
    }

    private void goBackTo(StoredLogin earlier) {
        scene.store.end(id);
        scene.store.start(earlier);
    }

    private StoredLogin stored() {
        Optional<StoredLogin> login = scene.store.find(id);
        return login.orElseThrow();
    }

    private IssuedTokens refreshed(String token) {
        return scene.logins.refresh(token).orElseThrow();
    }
}
