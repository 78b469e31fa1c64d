package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Puts a switch in front of a store: as long as it is off, the store does not answer. */
final class BreakableStores {

    private volatile boolean isDown;

    void breakDown() {
        isDown = true;
    }

    void repair() {
        isDown = false;
    }

    RevocationStore of(RevocationStore store) {
        return new RevocationStore() {
            @Override
            public void revokeToken(String tokenId, Instant expiresAt) {
                run(() -> store.revokeToken(tokenId, expiresAt));
            }

            @Override
            public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
                run(() -> store.revokeTokenOf(subjectId, tokenId, expiresAt));
            }

            @Override
            public void revokeSubject(String subjectId, Instant notBefore) {
                run(() -> store.revokeSubject(subjectId, notBefore));
            }

            @Override
            public Instant notBefore(String subjectId) {
                return ask(() -> store.notBefore(subjectId));
            }

            @Override
            public Instant currentNotBefore(String subjectId) {
                return ask(() -> store.currentNotBefore(subjectId));
            }

            @Override
            public boolean isTokenRevoked(String tokenId) {
                return ask(() -> store.isTokenRevoked(tokenId));
            }

            @Override
            public boolean isSubjectRevoked(String subjectId, Instant issuedAt) {
                return ask(() -> store.isSubjectRevoked(subjectId, issuedAt));
            }

            @Override
            public RevocationStore within(Duration longest) {
                return of(store.within(longest));
            }

            @Override
            public String toString() {
                return store.toString();
            }
        };
    }

    LoginStore of(LoginStore store) {
        return new LoginStore() {
            @Override
            public void start(StoredLogin login) {
                run(() -> store.start(login));
            }

            @Override
            public List<StoredLogin> ofOwner(String subjectId) {
                return ask(() -> store.ofOwner(subjectId));
            }

            @Override
            public Optional<StoredLogin> find(String id) {
                return ask(() -> store.find(id));
            }

            @Override
            public boolean replace(String expectedTokenHash, StoredLogin next) {
                return ask(() -> store.replace(expectedTokenHash, next));
            }

            @Override
            public boolean end(String id) {
                return ask(() -> store.end(id));
            }

            @Override
            public LoginStore within(Duration longest) {
                return of(store.within(longest));
            }

            @Override
            public String toString() {
                return store.toString();
            }
        };
    }

    private void run(Runnable command) {
        ask(() -> {
            command.run();
            return this;
        });
    }

    private <T> T ask(Supplier<T> question) {
        if (isDown) {
            throw AuthUnavailableException.outage("The store is switched off");
        }
        return question.get();
    }
}
