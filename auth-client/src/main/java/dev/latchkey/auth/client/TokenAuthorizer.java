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
 * Logs in where it is told to, and shows the token to the origins that it was made for. One for an account, kept for as long as the service runs: all requests share its token.
 *
 * <p>Whoever needs a token while there is none waits for the one login that is under way, on a future of his own, for as long as the settings' patience; where the endpoint is
 * unavailable that may span its back-off and another try. A refusal is told at once, and no login is tried until its back-off is over. Safe for use by any number of threads.
 */
public final class TokenAuthorizer implements Authorizer {

    private final Set<Origin> origins;
    private final LoginShape shape;
    private final Duration patience;
    private final InstantSource clock;
    private final ToldEvents told;
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
        this.told = new ToldEvents(settings.listener());
        this.token = new SharedToken(endpoint, settings, random, pause, told);
    }

    /**
     * With {@link ClientSettings#defaults()}: for requests to the origin of the login endpoint alone.
     *
     * @param endpoint where tokens are got
     * @return an authorizer that logs in when somebody first asks
     */
    public static TokenAuthorizer of(LoginEndpoint endpoint) {
        return of(endpoint, ClientSettings.defaults());
    }

    /**
     * For requests to the origin of the login endpoint and to those of the settings.
     *
     * @param endpoint where tokens are got
     * @param settings times, and where credentials may go
     * @return an authorizer that logs in when somebody first asks
     * @throws IllegalArgumentException if one of them is no HTTP address, or credentials must not be sent there
     */
    public static TokenAuthorizer of(LoginEndpoint endpoint, ClientSettings settings) {
        return new TokenAuthorizer(
                endpoint,
                settings,
                new SecureRandom(),
                wait -> CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** With other chances, and pauses that need not take their time. */
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
        told.notRetried(Reason.TOO_MANY_RENEWALS);
        return Optional.empty();
    }

    @Override
    public void leftRefused(Authorization refused) {
        told.notRetried(token.giveUp(refused) ? Reason.BODY : Reason.TOO_MANY_RENEWALS);
    }

    private CompletableFuture<Authorization> waitForToken() {
        CompletableFuture<Authorization> answer = new CompletableFuture<>();
        join(answer, clock.instant().plus(patience));
        return answer.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        failure instanceof TimeoutException ? tooLate() : LoginExchange.failureOf(failure)));
    }

    /** Joins one flight after the other for as long as that may help, and anybody still waits for the answer. */
    @SuppressWarnings("FutureReturnValueIgnored") // what comes of it ends in the answer
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
