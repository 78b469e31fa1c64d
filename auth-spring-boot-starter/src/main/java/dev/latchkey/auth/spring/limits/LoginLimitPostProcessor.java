package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.login.LimitedLogins;
import dev.latchkey.auth.spring.settings.BeanTypes;
import org.aopalliance.intercept.MethodInterceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;

/**
 * Puts the login limits around each authentication manager: those that Spring Security's builders make, which it has processed as
 * beans are, and those that the service defines.
 */
final class LoginLimitPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(LoginLimitPostProcessor.class);

    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<LimitedLogins> logins;

    LoginLimitPostProcessor(ConfigurableListableBeanFactory beans, ObjectProvider<LimitedLogins> logins) {
        this.beans = beans;
        this.logins = logins;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AuthenticationManager manager) || isLimited(manager)) {
            return bean;
        }
        if (manager.getClass() == ProviderManager.class) {
            return new LimitedProviders((ProviderManager) manager, logins.getObject());
        }
        if (BeanTypes.isDeclaredAsInterface(beans, beanName)) {
            return new LimitedPasswords(manager, logins.getObject());
        }
        if (!BeanTypes.canBeSubclassed(manager.getClass())) {
            LOG.warn(
                    "The login limits do not hold for '{}': declare the bean as AuthenticationManager instead of {}",
                    beanName,
                    manager.getClass().getName());
            return bean;
        }
        return subclassOf(manager);
    }

    static boolean isLimited(AuthenticationManager manager) {
        return manager instanceof LimitedPasswords || manager instanceof LimitedProviders;
    }

    /** One that is declared by its class may be injected by it, so it must stay of that class. */
    private Object subclassOf(AuthenticationManager manager) {
        LimitedPasswords limited = new LimitedPasswords(manager, logins.getObject());
        ProxyFactory factory = new ProxyFactory(manager);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> BeanTypes.isAuthenticate(call.getMethod())
                ? limited.authenticate((Authentication) call.getArguments()[0])
                : call.proceed());
        return factory.getProxy(manager.getClass().getClassLoader());
    }
}
