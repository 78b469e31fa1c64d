package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.LoginGuard;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.authentication.AbstractUserDetailsReactiveAuthenticationManager;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Puts {@link ReactivePasswordLogin} in the place of each of Spring Security's managers for passwords: those that are beans,
 * and the one that Spring Security makes where none is.
 *
 * <p>That one is no bean; it is handed to the post-processor of managers, which is there for observations and goes by a name
 * that Spring Security looks for. A bean of the same kind and another name would not be asked, so that one is preceded.
 */
final class ReactiveLoginPostProcessor implements BeanPostProcessor {

    /** The name that Spring Security knows its post-processor of managers by. */
    static final String OF_SPRING = "reactiveAuthenticationManagerPostProcessor";

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveLoginPostProcessor.class);

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<CredentialCache> cache;
    private final ObjectProvider<LoginGuard> guard;

    ReactiveLoginPostProcessor(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<CredentialCache> cache,
            ObjectProvider<LoginGuard> guard) {
        this.beans = beans;
        this.cache = cache;
        this.guard = guard;
    }

    @Override
    @SuppressWarnings("unchecked") // Spring Security has managers processed by the bean of this name.
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AbstractUserDetailsReactiveAuthenticationManager origin) {
            return inPlaceOf(origin, beanName);
        }
        if (bean instanceof ObjectPostProcessor<?> next && beanName.equals(OF_SPRING)) {
            return before((ObjectPostProcessor<ReactiveAuthenticationManager>) next);
        }
        return bean;
    }

    /** Replaces managers, and has the next one process what stands in for them. */
    ObjectPostProcessor<ReactiveAuthenticationManager> before(ObjectPostProcessor<ReactiveAuthenticationManager> next) {
        return new ObjectPostProcessor<>() {
            @Override
            @SuppressWarnings("unchecked") // As Spring Security's own does: whoever asks knows it as an interface.
            public <O extends ReactiveAuthenticationManager> O postProcess(O manager) {
                return (O) next.postProcess(inPlaceOf(manager));
            }
        };
    }

    private ReactiveAuthenticationManager inPlaceOf(ReactiveAuthenticationManager manager) {
        return manager instanceof AbstractUserDetailsReactiveAuthenticationManager origin
                ? ReactiveLoginParts.of(origin)
                        .<ReactiveAuthenticationManager>map(this::login)
                        .orElse(manager)
                : manager;
    }

    /** A bean that is declared by its class may be injected by it, so it must stay of that class. */
    private Object inPlaceOf(AbstractUserDetailsReactiveAuthenticationManager origin, String beanName) {
        Optional<ReactiveLoginParts> parts = ReactiveLoginParts.of(origin);
        boolean replaceable = isDeclaredAsInterface(beanName);
        if (parts.isEmpty()
                || (!replaceable && Modifier.isFinal(origin.getClass().getModifiers()))) {
            LOG.warn(
                    "The authentication manager '{}' ({}) decides in a way of its own, and is left alone",
                    beanName,
                    origin.getClass().getName());
            return origin;
        }
        ReactivePasswordLogin login = login(parts.get());
        return replaceable ? login : intercepted(origin, login);
    }

    private boolean isDeclaredAsInterface(String beanName) {
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName)
                        .getResolvableType()
                        .resolve(Object.class)
                        .isInterface();
    }

    private static Object intercepted(
            AbstractUserDetailsReactiveAuthenticationManager origin, ReactivePasswordLogin login) {
        ProxyFactory factory = new ProxyFactory(origin);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> call.getMethod().getName().equals("authenticate")
                ? login.authenticate((Authentication) call.getArguments()[0])
                : call.proceed());
        return factory.getProxy(origin.getClass().getClassLoader());
    }

    private ReactivePasswordLogin login(ReactiveLoginParts parts) {
        PasswordEncoder encoder = parts.encoder();
        CachingPasswordEncoder cached = cached(encoder);
        LOG.info(
                "WebFlux logins ({}) {}",
                encoder.getClass().getSimpleName(),
                cached == null ? "are not cached" : "are behind the credential cache");
        return new ReactivePasswordLogin(
                parts, cached == null ? encoder : cached, cached, new ReactiveHashing(guard.getIfAvailable()));
    }

    /** The encoder is a bean that is cached already, or Spring Security's own, which no one else sees. */
    private @Nullable CachingPasswordEncoder cached(PasswordEncoder encoder) {
        Optional<CachingPasswordEncoder> already = CachingEncoderPostProcessor.cachingOf(encoder);
        CredentialCache credentials = cache.getIfAvailable();
        return already.isEmpty() && credentials != null
                ? CachingPasswordEncoder.around(encoder, credentials)
                : already.orElse(null);
    }
}
