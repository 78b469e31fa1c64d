package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.spring.settings.BeanTypes;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.ClassUtils;

/**
 * Adds limits, cache and permits to each password encoder bean, so that injected encoders are fast and bounded, and to the
 * encoders inside authentication providers.
 *
 * <p>A decorator replaces a bean declared as {@link PasswordEncoder}. A bean declared by its class may be injected by this class,
 * so the replacement is a subclass with an interceptor where this is safe. Otherwise the bean is unchanged. A native image cannot
 * create classes at run time, so the subclass is created ahead of time; without this subclass the bean is unchanged too.
 *
 * @param providers null without Spring Security's providers
 */
record EncoderPostProcessor(
        ConfigurableListableBeanFactory beans,
        LoginEncoders encoders,
        @Nullable ProviderEncoders providers) implements SmartInstantiationAwareBeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(EncoderPostProcessor.class);

    /** The class of Spring Security 7 that checks for null and empty input before {@code matchesNonNull}. */
    private static final String VALIDATING_BASE =
            "org.springframework.security.crypto.password.AbstractValidatingPasswordEncoder";

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (providers != null) {
            providers.replaceIn(bean);
        }
        if (!(bean instanceof PasswordEncoder encoder)
                || LoginEncoders.of(encoder).isPresent()
                || isCachedByTheService(encoder, beanName)) {
            return bean;
        }
        LoginEncoder login = encoders.around(encoder);
        Object inFront = isDeclaredAsInterface(beanName) ? login : intercepted(login, encoder);
        if (inFront == null) {
            LOG.warn(
                    "Password encoder '{}' is not behind the credential cache: declare the bean as PasswordEncoder"
                            + " instead of {}",
                    beanName,
                    encoder.getClass().getName());
            return bean;
        }
        LOG.info(
                "Password encoder '{}' ({}) is {}",
                beanName,
                encoder.getClass().getSimpleName(),
                login.isCached() ? "behind the credential cache" : "not cached");
        return inFront;
    }

    /** Called only by the ahead-of-time processing, which keeps the returned class. */
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

    /** Whether the service has declared a cache by its class; no other type can replace such a bean. */
    private boolean isCachedByTheService(PasswordEncoder encoder, String beanName) {
        return encoder instanceof CachingPasswordEncoder && !isDeclaredAsInterface(beanName);
    }

    private boolean isDeclaredAsInterface(String beanName) {
        return BeanTypes.isDeclaredAsInterface(beans, beanName);
    }

    /**
     * A final method would run on the subclass with empty fields. Only the final methods of Spring's base class are known to
     * use no fields.
     */
    private static boolean canBeIntercepted(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(type.getMethods())
                        .filter(method -> Modifier.isFinal(method.getModifiers()))
                        .allMatch(method -> method.getDeclaringClass() == Object.class
                                || method.getDeclaringClass().getName().equals(VALIDATING_BASE));
    }

    /** The encoder in a subclass that calls the login encoder; null if no subclass is possible. */
    private static @Nullable Object intercepted(LoginEncoder login, PasswordEncoder encoder) {
        if (!canBeIntercepted(encoder.getClass())) {
            return null;
        }
        try {
            return LoginEncoders.subclassAsking(login, encoder);
        } catch (AopConfigException e) {
            LOG.debug("No subclass of {} can be made", encoder.getClass().getName(), e);
            return null;
        }
    }
}
