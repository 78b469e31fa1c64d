package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.http.ReactiveSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Puts the login limits around a reactive manager, as {@link LimitedPasswords} does around one of servlets. Waiting takes no thread.
 *
 * <p>What decides within finds the {@link Reservation} in the subscriber's context. A manager that is asked within knows by it that the login is
 * limited already.
 */
final class ReactiveLimitedPasswords implements ReactiveAuthenticationManager {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final ReactiveAuthenticationManager manager;
    private final LoginLimits limits;
    private final Semaphore places;

    /** @param atOnce logins that the manager may decide at a time: what it has no threads for would wait without bound */
    ReactiveLimitedPasswords(ReactiveAuthenticationManager manager, LoginLimits limits, int atOnce) {
        this.manager = manager;
        this.limits = limits;
        this.places = new Semaphore(atOnce);
    }

    /** For a manager that bounds itself how many logins it decides at a time. */
    ReactiveLimitedPasswords(ReactiveAuthenticationManager manager, LoginLimits limits) {
        this(manager, limits, Integer.MAX_VALUE);
    }

    @Override
    public Mono<Authentication> authenticate(Authentication request) {
        if (!(request instanceof UsernamePasswordAuthenticationToken)) {
            return manager.authenticate(request);
        }
        return Mono.deferContextual(context -> context.hasKey(Reservation.class)
                ? manager.authenticate(request)
                : begin(request, ReactiveSource.in(context)));
    }

    private Mono<Authentication> begin(Authentication request, ClientSource source) {
        String account = request.getName();
        CharSequence password = LimitedPasswords.passwordOf(request);
        ReactiveAttempt attempt = new ReactiveAttempt(password);
        Reservation known = limits.reserveKnown(account, source);
        if (known != null) {
            attempt.begin(known);
            return decide(request, known, attempt);
        }
        return admission(new LoginAttempt(account, source), password, attempt)
                .flatMap(admission -> decide(request, admission.orThrow(), attempt))
                .doOnCancel(() -> attempt.end(AttemptResult.FAILED));
    }

    /**
     * Whoever goes away leaves the line; a reservation that comes nevertheless goes back. An answer that is not there at once comes on a thread that
     * has others to answer: what follows goes on where Spring Security's own managers do.
     */
    private Mono<Admission> admission(LoginAttempt login, @Nullable CharSequence password, ReactiveAttempt attempt) {
        return Mono.defer(() -> {
            CompletableFuture<Admission> admission = limits.reserve(login, password);
            Mono<Admission> answer = answer(admission, attempt);
            return admission.isDone() ? answer : answer.publishOn(Schedulers.boundedElastic());
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is done at the end throws nothing that anybody could handle
    private static Mono<Admission> answer(CompletableFuture<Admission> admission, ReactiveAttempt attempt) {
        return Mono.create(sink -> {
            sink.onCancel(() -> admission.cancel(false));
            admission.whenComplete((answer, failure) -> {
                attempt.answered(answer);
                if (answer == null) {
                    sink.error(
                            failure == null
                                    ? AuthUnavailableException.outage("The login limits did not answer")
                                    : failure);
                } else {
                    sink.success(answer);
                }
            });
        });
    }

    /** A client that goes away has spent its attempt: it may have learned the answer by the time that it took. */
    private Mono<Authentication> decide(Authentication request, Reservation login, ReactiveAttempt attempt) {
        return Mono.defer(() -> inAPlace(request, attempt))
                .doOnSuccess(answer -> attempt.end(LimitedPasswords.resultOf(answer)))
                .doOnError(failure -> attempt.end(LimitedPasswords.resultOf(failure)))
                .doOnCancel(() -> attempt.end(AttemptResult.FAILED))
                .contextWrite(context -> context.put(Reservation.class, login));
    }

    /** Without a place nothing is compared, not even with what is remembered. */
    private Mono<Authentication> inAPlace(Authentication request, ReactiveAttempt attempt) {
        if (!places.tryAcquire()) {
            attempt.end(AttemptResult.NOT_ATTEMPTED);
            return Mono.error(AuthUnavailableException.overload("Too many logins are decided at a time", A_MOMENT));
        }
        return SignalledErrors.of(Mono.defer(() -> manager.authenticate(request)))
                .doFinally(end -> places.release());
    }
}
