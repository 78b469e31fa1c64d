package dev.latchkey.auth.spring.limits;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Turns errors of the JVM ({@link VirtualMachineError}, {@link LinkageError}) into error signals. Reactor throws such errors at
 * the subscriber, past all operators that wait for the end of the source.
 *
 * <p>An error after the source's answer is thrown as before, to the receiver of the answer.
 */
final class SignalledErrors<T> extends Mono<T> {

    private final Mono<T> source;

    private SignalledErrors(Mono<T> source) {
        this.source = source;
    }

    static <T> Mono<T> of(Mono<T> source) {
        return new SignalledErrors<>(source);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Watch<T> watch = new Watch<>(actual);
        try {
            source.subscribe(watch);
        } catch (RuntimeException | Error e) {
            if (watch.hasAnswered) {
                throw e;
            }
            watch.failBy(e);
        }
    }

    /** Passes all signals on, and records the state of the source. */
    private static final class Watch<T> implements CoreSubscriber<T> {

        private final CoreSubscriber<? super T> actual;
        private volatile boolean hasBegun;
        private volatile boolean hasAnswered;

        Watch(CoreSubscriber<? super T> actual) {
            this.actual = actual;
        }

        void failBy(Throwable failure) {
            if (!hasBegun) {
                onSubscribe(Operators.emptySubscription());
            }
            onError(failure);
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            hasBegun = true;
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(T answer) {
            hasAnswered = true;
            actual.onNext(answer);
        }

        @Override
        public void onError(Throwable failure) {
            hasAnswered = true;
            actual.onError(failure);
        }

        @Override
        public void onComplete() {
            hasAnswered = true;
            actual.onComplete();
        }
    }
}
