package dev.latchkey.auth.spring;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import java.lang.reflect.Modifier;
import org.aopalliance.intercept.MethodInterceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Puts each password encoder bean behind the cache, so that whoever injects it gets the fast one.
 *
 * <p>The bean stays of its own class, since a service may inject it by that: its {@code matches} is intercepted in a subclass,
 * and all else goes to the bean itself. A final class has no subclass; there the decorator takes its place.
 */
final class CachingEncoderPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(CachingEncoderPostProcessor.class);

    private final ObjectProvider<CredentialCache> cache;

    CachingEncoderPostProcessor(ObjectProvider<CredentialCache> cache) {
        this.cache = cache;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof PasswordEncoder encoder) || bean instanceof CachingPasswordEncoder) {
            return bean;
        }
        CachingPasswordEncoder caching = CachingPasswordEncoder.around(encoder, cache.getObject());
        LOG.info(
                "Password encoder '{}' ({}) is behind the credential cache",
                beanName,
                bean.getClass().getName());
        return Modifier.isFinal(bean.getClass().getModifiers()) ? caching : proxyOf(encoder, caching);
    }

    private static Object proxyOf(PasswordEncoder encoder, CachingPasswordEncoder caching) {
        ProxyFactory factory = new ProxyFactory(encoder);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> call.getMethod().getName().equals("matches")
                ? caching.matches((CharSequence) call.getArguments()[0], (String) call.getArguments()[1])
                : call.proceed());
        return factory.getProxy(encoder.getClass().getClassLoader());
    }
}
