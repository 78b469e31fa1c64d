package dev.latchkey.auth.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Puts the guard before the encoder of each provider, in front of the cache that {@link CachingProviderPostProcessor} put there. */
final class GuardProviderPostProcessor implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(GuardProviderPostProcessor.class);

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ProviderManager manager) {
            manager.getProviders().stream()
                    .filter(DaoAuthenticationProvider.class::isInstance)
                    .forEach(provider -> guard((DaoAuthenticationProvider) provider));
        } else if (bean instanceof DaoAuthenticationProvider provider) {
            guard(provider);
        }
        return bean;
    }

    private static void guard(DaoAuthenticationProvider provider) {
        PasswordEncoder encoder = CachingProviderPostProcessor.encoderOf(provider);
        if (!(encoder instanceof GuardedEncoder)) {
            provider.setPasswordEncoder(new GuardedEncoder(encoder));
            provider.setUserCache(new GuardedUserCache(provider.getUserCache()));
            LOG.info("A {} hashes behind the guard", provider.getClass().getSimpleName());
        }
    }
}
