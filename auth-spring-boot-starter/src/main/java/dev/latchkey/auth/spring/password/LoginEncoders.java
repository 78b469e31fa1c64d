package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LimitedLogins;
import java.util.Arrays;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Puts encoders behind what the service has of limits, cache and permits.
 *
 * <p>Holds providers, since post-processors need it early: what they need at once is made before them, and is not processed by them. Safe for use by
 * any number of threads.
 */
public final class LoginEncoders {

    private final ObjectProvider<CredentialCache> cache;
    private final ObjectProvider<HashingPermits> permits;
    private final ObjectProvider<LimitedLogins> logins;
    private final ObjectProvider<HashBudget> budget;

    LoginEncoders(
            ObjectProvider<CredentialCache> cache,
            ObjectProvider<HashingPermits> permits,
            ObjectProvider<LimitedLogins> logins,
            ObjectProvider<HashBudget> budget) {
        this.cache = cache;
        this.permits = permits;
        this.logins = logins;
        this.budget = budget;
    }

    /**
     * Puts an encoder behind what there is.
     *
     * @param encoder that hashes, or stands behind one of these already
     * @return the one that stands before it already, or a new one
     */
    public LoginEncoder around(PasswordEncoder encoder) {
        return of(encoder)
                .orElseGet(() -> LoginEncoder.around(
                        encoder,
                        cacheFor(encoder),
                        permits.getIfAvailable(),
                        logins.getIfAvailable(),
                        budget.getIfAvailable()));
    }

    /**
     * Puts an encoder behind what there is, in a service that may have nothing.
     *
     * @param encoder that hashes
     * @param decorators of the service
     * @return without cache, permits and limits where the service has no decorators
     */
    public static LoginEncoder around(PasswordEncoder encoder, ObjectProvider<LoginEncoders> decorators) {
        LoginEncoders available = decorators.getIfAvailable();
        return available == null ? LoginEncoder.around(encoder, null, null, null, null) : available.around(encoder);
    }

    /** A service that has put an encoder behind a cache of its own keeps that one. */
    private @Nullable CredentialCache cacheFor(PasswordEncoder encoder) {
        return encoder instanceof CachingPasswordEncoder ? null : cache.getIfAvailable();
    }

    /** What stands before an encoder already: the encoder may be that itself, or a subclass of the service's that asks it. */
    static Optional<LoginEncoder> of(PasswordEncoder encoder) {
        if (encoder instanceof LoginEncoder login) {
            return Optional.of(login);
        }
        if (encoder instanceof ProviderEncoder provider) {
            return Optional.of(provider.login());
        }
        return encoder instanceof Advised proxy
                ? Arrays.stream(proxy.getAdvisors())
                        .map(Advisor::getAdvice)
                        .filter(Interception.class::isInstance)
                        .map(advice -> ((Interception) advice).login())
                        .findFirst()
                : Optional.empty();
    }

    /** A subclass of the encoder's class that asks this one. */
    static Object subclassAsking(LoginEncoder login, PasswordEncoder encoder) {
        ProxyFactory factory = new ProxyFactory(encoder);
        factory.setProxyTargetClass(true);
        factory.addAdvice(new Interception(login));
        return factory.getProxy(encoder.getClass().getClassLoader());
    }

    /** Asks the login encoder, which asks the real one in turn; what it does not know goes to the real one. */
    private record Interception(LoginEncoder login) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            Object[] given = call.getArguments();
            return switch (call.getMethod().getName()) {
                case "matches", "matchesNonNull" -> login.matches((CharSequence) given[0], (String) given[1]);
                case "encode", "encodeNonNullPassword" -> login.encode((CharSequence) given[0]);
                default -> call.proceed();
            };
        }
    }
}
