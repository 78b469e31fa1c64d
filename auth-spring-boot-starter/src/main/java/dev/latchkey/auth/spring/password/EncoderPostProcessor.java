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
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.ClassUtils;

/**
 * Puts each password encoder bean behind limits, cache and permits, so that whoever injects it gets the fast and bounded one.
 *
 * <p>A bean that is declared as a {@link PasswordEncoder} is replaced by the decorator. One that is declared by its class may be injected by that
 * class, so it must stay of it: a subclass intercepts it where that is safe, and it is left alone where it is not. A native image can make no class
 * while it runs, so the subclass is made ahead of time; where it was not, the encoder is left alone too.
 */
final class EncoderPostProcessor implements SmartInstantiationAwareBeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(EncoderPostProcessor.class);

    /** Where Spring Security 7 checks for null and empty input before it calls {@code matchesNonNull}. */
    private static final String VALIDATING_BASE =
            "org.springframework.security.crypto.password.AbstractValidatingPasswordEncoder";

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LoginEncoders> encoders;

    EncoderPostProcessor(ConfigurableListableBeanFactory beans, ObjectProvider<LoginEncoders> encoders) {
        this.beans = beans;
        this.encoders = encoders;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof PasswordEncoder encoder)
                || LoginEncoders.of(encoder).isPresent()
                || isCachedByTheService(encoder, beanName)) {
            return bean;
        }
        LoginEncoder login = encoders.getObject().around(encoder);
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

    /** Whether the service has declared a cache by its class, of which nothing else can be. */
    private boolean isCachedByTheService(PasswordEncoder encoder, String beanName) {
        return encoder instanceof CachingPasswordEncoder && !isDeclaredAsInterface(beanName);
    }

    private boolean isDeclaredAsInterface(String beanName) {
        return BeanTypes.isDeclaredAsInterface(beans, beanName);
    }

    /** A final method would run on the subclass, whose fields are empty; only the one of Spring's base is known to use none. */
    private static boolean canBeIntercepted(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(type.getMethods())
                        .filter(method -> Modifier.isFinal(method.getModifiers()))
                        .allMatch(method -> method.getDeclaringClass() == Object.class
                                || method.getDeclaringClass().getName().equals(VALIDATING_BASE));
    }

    /** The encoder in a subclass that asks ours; null where there can be none. */
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
