package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.LoginAttempt;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.ComparedPassword.Unseen;
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
 * Applies the login limits to a reactive manager, as {@link PasswordLogins} does to a servlet manager. A waiting login takes no
 * thread.
 *
 * <p>During the decision, the subscriber's {@link CurrentLogin} has the {@link Reservation}. With a reservation, a nested manager
 * knows that the login is limited already.
 */
final class ReactiveLimitedPasswords implements ReactiveAuthenticationManager {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final ReactiveAuthenticationManager manager;
    private final LoginLimits limits;
    private final Semaphore places;
    private final Unseen unseen;

    /**
     * @param atOnce the maximum of parallel logins in the manager, because the queue for the manager's threads has no bound
     * @param unseen the code of the manager that may compare passwords without a note in {@link ComparedPassword}
     */
    ReactiveLimitedPasswords(ReactiveAuthenticationManager manager, LoginLimits limits, int atOnce, Unseen unseen) {
        this.manager = manager;
        this.limits = limits;
        this.places = new Semaphore(atOnce);
        this.unseen = unseen;
    }

    @Override
    public Mono<Authentication> authenticate(Authentication request) {
        if (!(request instanceof UsernamePasswordAuthenticationToken)) {
            return manager.authenticate(request);
        }
        return Mono.deferContextual(context -> {
            CurrentLogin current = ReactiveSource.in(context);
            if (current.get(ReactiveSource.ADMITTED) == null) {
                return begin(request, CurrentRequest.sourceOf(current));
            }
            ComparedPassword.asking(current, unseen);
            return manager.authenticate(request);
        });
    }

    private Mono<Authentication> begin(Authentication request, ClientSource source) {
        String account = request.getName();
        CharSequence password = PasswordLogins.passwordOf(request);
        ReactiveAttempt attempt = new ReactiveAttempt(password);
        Reservation known = limits.reserveKnown(account, source);
        if (known != null) {
            attempt.begin(known);
            return decide(request, known, attempt);
        }
        return admission(new LoginAttempt(account, source), password, attempt)
                .flatMap(admission -> decide(request, admission.orThrow(), attempt))
                .doOnCancel(attempt::left);
    }

    /**
     * If the client disconnects, its login leaves the queue, and a late reservation is returned. A late answer comes on a thread
     * of the limits. This thread has other answers to give. Therefore the following operators run on the scheduler of Spring
     * Security's own managers.
     */
    private Mono<Admission> admission(LoginAttempt login, @Nullable CharSequence password, ReactiveAttempt attempt) {
        return Mono.defer(() -> {
            CompletableFuture<Admission> admission = limits.reserve(login, password);
            Mono<Admission> answer = answer(admission, attempt);
            return admission.isDone() ? answer : answer.publishOn(Schedulers.boundedElastic());
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback throws no exception
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

    private Mono<Authentication> decide(Authentication request, Reservation login, ReactiveAttempt attempt) {
        return Mono.defer(() -> withAPlace(request, attempt))
                .doOnSuccess(answer -> attempt.end(attempt.password().answered(answer)))
                .doOnError(attempt::failed)
                .doOnCancel(attempt::left)
                .contextWrite(context -> context.put(
                        CurrentLogin.class,
                        attempt.password().within(ReactiveSource.in(context).with(ReactiveSource.ADMITTED, login))));
    }

    /** Without a free place, the password is not compared, not even with the cache. */
    private Mono<Authentication> withAPlace(Authentication request, ReactiveAttempt attempt) {
        if (!places.tryAcquire()) {
            attempt.end(AttemptResult.NOT_ATTEMPTED);
            return Mono.error(AuthUnavailableException.overload("Too many logins are decided at a time", A_MOMENT));
        }
        return SignalledErrors.of(Mono.deferContextual(context -> {
                    CurrentLogin login = ReactiveSource.in(context);
                    ComparedPassword.beforeAComparison(login, false);
                    ComparedPassword.asking(login, unseen);
                    return manager.authenticate(request);
                }))
                .doFinally(end -> places.release());
    }
}
