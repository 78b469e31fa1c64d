package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.ClassUtils;

/**
 * Puts each password encoder bean behind the cache, so that whoever injects it gets the fast one.
 *
 * <p>A bean that is declared as a {@link PasswordEncoder} is replaced by the decorator. One that is declared by its class may be
 * injected by it, so it must stay of that class: it is intercepted in a subclass, where that is safe, and left alone where it
 * is not. A native image can make no class while it runs, so the subclass is made ahead of time; where it was not, the encoder
 * is left alone too.
 */
final class CachingEncoderPostProcessor implements SmartInstantiationAwareBeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(CachingEncoderPostProcessor.class);

    /** Where Spring Security 7 checks for null and empty input before it calls {@code matchesNonNull}. */
    private static final String VALIDATING_BASE =
            "org.springframework.security.crypto.password.AbstractValidatingPasswordEncoder";

    private static final Set<String> MATCHING = Set.of("matches", "matchesNonNull");

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<CredentialCache> cache;

    CachingEncoderPostProcessor(ConfigurableListableBeanFactory beans, ObjectProvider<CredentialCache> cache) {
        this.beans = beans;
        this.cache = cache;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof PasswordEncoder encoder) || bean instanceof CachingPasswordEncoder) {
            return bean;
        }
        CachingPasswordEncoder caching = CachingPasswordEncoder.around(encoder, cache.getObject());
        Object cached = isDeclaredAsInterface(beanName) ? caching : intercepted(encoder, caching);
        if (cached == null) {
            LOG.warn(
                    "Password encoder '{}' is not behind the credential cache: declare the bean as PasswordEncoder"
                            + " instead of {}",
                    beanName,
                    encoder.getClass().getName());
            return bean;
        }
        LOG.info(
                "Password encoder '{}' ({}) is behind the credential cache",
                beanName,
                encoder.getClass().getSimpleName());
        return cached;
    }

    /** Asked by the ahead-of-time processing alone, which keeps the class that it is shown. */
    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        if (!PasswordEncoder.class.isAssignableFrom(beanClass)
                || isDeclaredAsInterface(beanName)
                || !canBeIntercepted(beanClass)) {
            return beanClass;
        }
        ProxyFactory factory = new ProxyFactory(ClassUtils.getAllInterfacesForClass(beanClass));
        factory.setTargetClass(beanClass);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
        return factory.getProxyClass(beanClass.getClassLoader());
    }

    /** What answers for this encoder, if it is cached: itself, or what an intercepted one asks. */
    static Optional<CachingPasswordEncoder> cachingOf(PasswordEncoder encoder) {
        if (encoder instanceof CachingPasswordEncoder caching) {
            return Optional.of(caching);
        }
        return encoder instanceof Advised proxy
                ? Arrays.stream(proxy.getAdvisors())
                        .map(Advisor::getAdvice)
                        .filter(MatchInterceptor.class::isInstance)
                        .map(advice -> ((MatchInterceptor) advice).caching())
                        .findFirst()
                : Optional.empty();
    }

    private boolean isDeclaredAsInterface(String beanName) {
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName)
                        .getResolvableType()
                        .resolve(Object.class)
                        .isInterface();
    }

    /** A final method would run on the subclass, whose fields are empty; only the one of Spring's base is known to use none. */
    private static boolean canBeIntercepted(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(type.getMethods())
                        .filter(method -> Modifier.isFinal(method.getModifiers()))
                        .map(Method::getDeclaringClass)
                        .allMatch(owner ->
                                owner == Object.class || owner.getName().equals(VALIDATING_BASE));
    }

    /** In a subclass; null where it cannot be. */
    private static @Nullable Object intercepted(PasswordEncoder encoder, CachingPasswordEncoder caching) {
        if (!canBeIntercepted(encoder.getClass())) {
            return null;
        }
        ProxyFactory factory = new ProxyFactory(encoder);
        factory.setProxyTargetClass(true);
        factory.addAdvice(new MatchInterceptor(caching));
        try {
            return factory.getProxy(encoder.getClass().getClassLoader());
        } catch (AopConfigException e) {
            LOG.debug("No subclass of {} can be made", encoder.getClass().getName(), e);
            return null;
        }
    }

    /** Asks the cache instead of the encoder, which the cache asks in turn; all but the comparison goes to the encoder. */
    private record MatchInterceptor(CachingPasswordEncoder caching) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            return MATCHING.contains(call.getMethod().getName())
                    ? caching.matches((CharSequence) call.getArguments()[0], (String) call.getArguments()[1])
                    : call.proceed();
        }
    }
}
