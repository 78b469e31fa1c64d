package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds the service's limits, cache and permits to encoders.
 *
 * <p>Holds providers instead of beans, because post-processors need this class early. Beans of a post-processor are created
 * before the post-processor, and are not processed. Safe for use by any number of threads.
 */
public final class LoginEncoders {

    private final ObjectProvider<CredentialCache> cache;
    private final ObjectProvider<HashingPermits> permits;
    private final ObjectProvider<LoginLimitGate> logins;
    private final Supplier<@Nullable HashBudget> budget;
    private final ObjectProvider<PasswordEncoder> encoders;

    LoginEncoders(BeanFactory beans) {
        this.cache = beans.getBeanProvider(CredentialCache.class);
        this.permits = beans.getBeanProvider(HashingPermits.class);
        this.logins = beans.getBeanProvider(LoginLimitGate.class);
        this.encoders = beans.getBeanProvider(PasswordEncoder.class);
        this.budget = SingletonSupplier.of(() ->
                budget(beans.getBeanProvider(GuardTime.class).getIfAvailable(), beans.getBean(Environment.class)));
    }

    /**
     * The encoder that decides. Spring Security's builders of managers give a provider an encoder that looks the service's encoder up
     * at the first use. The parts of a bean would act twice around such an encoder.
     *
     * @param encoder of a provider
     * @return the service's encoder in place of Spring Security's; otherwise the same
     */
    PasswordEncoder behind(PasswordEncoder encoder) {
        boolean isOfABuilder = encoder.getClass().getName().startsWith("org.springframework.security.config.");
        PasswordEncoder bean = isOfABuilder ? encoders.getIfUnique() : null;
        return bean == null ? encoder : bean;
    }

    private static @Nullable HashBudget budget(@Nullable GuardTime time, Environment environment) {
        boolean isLimited = environment.getProperty("latchkey.guard.limits.enabled", Boolean.class, true);
        return time == null || !isLimited ? null : new HashBudget(time);
    }

    /**
     * Adds the available parts to an encoder.
     *
     * @param encoder computes the hashes, or is decorated already
     * @return the existing decorator, or a new decorator
     */
    LoginEncoder around(PasswordEncoder encoder) {
        return of(encoder)
                .orElseGet(() -> LoginEncoder.around(
                        encoder, cacheFor(encoder), permits.getIfAvailable(), logins.getIfAvailable(), budget.get()));
    }

    /**
     * Adds the available parts to an encoder, in a service that may have no parts.
     *
     * @param encoder computes the hashes
     * @param beans of the service
     * @return without cache, permits and limits if the service has no parts
     */
    public static LoginEncoder around(PasswordEncoder encoder, BeanFactory beans) {
        EncoderPostProcessor available =
                beans.getBeanProvider(EncoderPostProcessor.class).getIfAvailable();
        return available == null
                ? LoginEncoder.around(encoder, null, null, null, null)
                : available.encoders().around(encoder);
    }

    /** An encoder with the service's own cache keeps this cache. */
    private @Nullable CredentialCache cacheFor(PasswordEncoder encoder) {
        return encoder instanceof CachingPasswordEncoder ? null : cache.getIfAvailable();
    }

    /**
     * Whether each comparison of a provider is noted. A subclass of Spring Security's provider may check a code too.
     *
     * @param provider of a manager
     * @return true for Spring Security's own provider with such an encoder
     */
    public static boolean areAskedBy(AuthenticationProvider provider) {
        return provider.getClass() == DaoAuthenticationProvider.class
                && of(ProviderEncoders.encoderOf((DaoAuthenticationProvider) provider))
                        .isPresent();
    }

    /** The existing decorator of an encoder: the encoder itself, or the target of an intercepting subclass. */
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

    /** A subclass of the encoder's class that calls the login encoder. */
    static Object subclassAsking(LoginEncoder login, PasswordEncoder encoder) {
        ProxyFactory factory = new ProxyFactory(encoder);
        factory.setProxyTargetClass(true);
        factory.addAdvice(new Interception(login));
        return factory.getProxy(encoder.getClass().getClassLoader());
    }

    /** Calls the login encoder, which calls the real encoder. All other methods go to the real encoder. */
    private record Interception(LoginEncoder login) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            Object[] given = call.getArguments();
            if (isFor(call, "matches", CharSequence.class, String.class)
                    || isFor(call, "matchesNonNull", String.class, String.class)) {
                return login.matches((CharSequence) given[0], (String) given[1]);
            }
            return isFor(call, "encode", CharSequence.class) || isFor(call, "encodeNonNullPassword", String.class)
                    ? login.encode((CharSequence) given[0])
                    : call.proceed();
        }

        /** Compares the parameters too, because an encoder may have other methods of this name, such as with a pepper. */
        private static boolean isFor(MethodInvocation call, String name, Class<?>... parameters) {
            return call.getMethod().getName().equals(name)
                    && Arrays.equals(call.getMethod().getParameterTypes(), parameters);
        }
    }
}
