package dev.latchkey.auth.client;

import dev.latchkey.auth.client.ClientEvent.NotRetried.Reason;
import dev.latchkey.auth.client.LoginFailedException.Kind;
import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Logs in at an endpoint, and supplies the token for requests to fixed origins. Create one authorizer per account and
 * keep the authorizer for the service's lifetime: all requests share its token.
 *
 * <p>Without a token, a request waits for the running login or starts a login. The wait is limited by
 * {@link ClientSettings#patience()}. Each caller has its own future. If the endpoint is unavailable, the wait may
 * include a pause and another login. A rejected login is reported at once, and no login is sent until the end of the
 * pause after the rejection. Safe for use by any number of threads.
 */
public final class TokenAuthorizer implements Authorizer {

    private final Set<Origin> origins;
    private final LoginShape shape;
    private final Duration patience;
    private final InstantSource clock;
    private final ListenerEvents events;
    private final SharedToken token;

    private TokenAuthorizer(
            LoginEndpoint endpoint,
            ClientSettings settings,
            RandomGenerator random,
            Function<Duration, Executor> pause) {
        this.origins = settings.originsWith(endpoint.address());
        this.shape = endpoint.shape();
        this.patience = settings.patience();
        this.clock = settings.clock();
        this.events = new ListenerEvents(settings.listener());
        this.token = new SharedToken(endpoint, settings, random, pause, events);
    }

    /**
     * An authorizer with {@link ClientSettings#defaults()}, for requests to the login endpoint's origin only.
     *
     * @param endpoint the login endpoint
     * @return an authorizer that logs in at the first request
     * @throws IllegalArgumentException if the address is not HTTP, or credentials must not be sent there
     */
    public static TokenAuthorizer of(LoginEndpoint endpoint) {
        return of(endpoint, ClientSettings.defaults());
    }

    /**
     * An authorizer for requests to the login endpoint's origin and the origins of the settings.
     *
     * @param endpoint the login endpoint
     * @param settings the time limits and the origins
     * @return an authorizer that logs in at the first request
     * @throws IllegalArgumentException if an address is not HTTP, or credentials must not be sent there
     */
    public static TokenAuthorizer of(LoginEndpoint endpoint, ClientSettings settings) {
        return new TokenAuthorizer(
                endpoint,
                settings,
                new SecureRandom(),
                wait -> CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** For tests: with other random numbers and other pauses. */
    static TokenAuthorizer of(
            LoginEndpoint endpoint,
            ClientSettings settings,
            RandomGenerator random,
            Function<Duration, Executor> pause) {
        return new TokenAuthorizer(endpoint, settings, random, pause);
    }

    @Override
    public boolean isFor(URI address) {
        return Origin.of(address).filter(origins::contains).isPresent();
    }

    @Override
    public boolean isRefusal(int status) {
        return shape.isRefusal(status);
    }

    @Override
    public CompletableFuture<Authorization> current() {
        return token.ready().map(CompletableFuture::completedFuture).orElseGet(this::waitForToken);
    }

    @Override
    public Optional<CompletableFuture<Authorization>> renewalOf(Authorization refused) {
        if (token.giveUp(refused)) {
            return Optional.of(current());
        }
        events.notRetried(Reason.TOO_MANY_RENEWALS);
        return Optional.empty();
    }

    @Override
    public void leftRefused(Authorization refused) {
        events.notRetried(token.giveUp(refused) ? Reason.BODY : Reason.TOO_MANY_RENEWALS);
    }

    private CompletableFuture<Authorization> waitForToken() {
        CompletableFuture<Authorization> answer = new CompletableFuture<>();
        join(answer, clock.instant().plus(patience));
        return answer.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? tooLate() : LoginExchange.failureOf(failure)));
    }

    /** Joins one login after another, as long as a retry may help and the caller still waits. */
    @SuppressWarnings("FutureReturnValueIgnored") // the result ends in the answer
    private void join(CompletableFuture<Authorization> answer, Instant end) {
        Duration left = Duration.between(clock.instant(), end);
        token.join(left).whenComplete((authorization, failure) -> {
            if (failure == null) {
                answer.complete(authorization);
            } else if (!answer.isDone() && isOverBefore(end, LoginExchange.failureOf(failure))) {
                join(answer, end);
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    private boolean isOverBefore(Instant end, LoginFailedException failure) {
        Instant now = clock.instant();
        return failure.kind() == Kind.UNAVAILABLE
                && failure.retryAfter()
                        .filter(wait -> now.plus(wait).isBefore(end))
                        .isPresent();
    }

    private LoginFailedException tooLate() {
        return LoginFailedException.of(Kind.UNAVAILABLE, "No token within " + patience.toMillis() + " ms");
    }

    @Override
    public String toString() {
        return "TokenAuthorizer" + origins;
    }
}
