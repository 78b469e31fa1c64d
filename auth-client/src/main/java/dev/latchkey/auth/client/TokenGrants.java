package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Chooses between a refresh token, if the last answer contained one, and the credentials. A rejected refresh token is
 * dropped, and a login with the credentials follows at once.
 *
 * <p>If the refresh is unavailable, the next attempt is a login, because the fault may affect refreshes only. If this
 * login fails, the attempt after the login uses the same refresh token again. A login in the same attempt would ignore
 * the endpoint's {@code Retry-After}, and would double the requests during an outage. Used for one token at a time.
 */
final class TokenGrants {

    /**
     * A new token.
     *
     * @param asked the time of the request, when the lifetime starts
     * @param event for the listener
     */
    record Issued(TokenAnswer answer, Instant asked, ClientEvent event) {}

    private final LoginEndpoint endpoint;
    private final LoginExchange exchange;
    private final InstantSource clock;
    private final ListenerEvents events;

    @Nullable
    private volatile Secret refreshToken;

    private volatile boolean isRefreshUnavailable;

    TokenGrants(LoginEndpoint endpoint, ClientSettings settings, ListenerEvents events) {
        this.endpoint = endpoint;
        this.exchange = new LoginExchange(endpoint, settings);
        this.clock = settings.clock();
        this.events = events;
    }

    /** Fails with a {@link LoginFailedException}. */
    CompletableFuture<Issued> next() {
        Secret known = refreshToken;
        Optional<URI> there = endpoint.refresh();
        return known == null || there.isEmpty() || isRefreshUnavailable ? login() : refresh(there.get(), known);
    }

    private CompletableFuture<Issued> refresh(URI there, Secret known) {
        Instant asked = clock.instant();
        long start = System.nanoTime();
        return exchange.refresh(there, known)
                .thenApply(answer -> {
                    // If the answer has no refresh token, the old refresh token stays in use (RFC 6749 section 6).
                    if (answer.refreshToken() != null) {
                        refreshToken = answer.refreshToken();
                    }
                    return new Issued(answer, asked, new ClientEvent.Refreshed(answer.knownLifetime(), since(start)));
                })
                .exceptionallyCompose(this::loginUnlessUnavailable);
    }

    private CompletableFuture<Issued> loginUnlessUnavailable(Throwable failure) {
        if (LoginExchange.failureOf(failure).kind() == Kind.UNAVAILABLE) {
            isRefreshUnavailable = true;
            return CompletableFuture.failedFuture(failure);
        }
        refreshToken = null;
        events.tell(new ClientEvent.RefreshRefused());
        return login();
    }

    private CompletableFuture<Issued> login() {
        isRefreshUnavailable = false;
        Instant asked = clock.instant();
        long start = System.nanoTime();
        return exchange.login().thenApply(answer -> {
            refreshToken = answer.refreshToken();
            return new Issued(answer, asked, new ClientEvent.LoggedIn(answer.knownLifetime(), since(start)));
        });
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
