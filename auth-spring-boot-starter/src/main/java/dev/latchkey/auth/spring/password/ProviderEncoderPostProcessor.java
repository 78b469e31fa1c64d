package dev.latchkey.auth.spring.password;

import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.ReflectionUtils;

/**
 * Puts the encoder that an authentication provider has inside behind limits, cache and permits, where that encoder is no bean.
 *
 * <p>Without a {@link PasswordEncoder} bean Spring Security gives each {@link DaoAuthenticationProvider} a delegating encoder of
 * its own. Publishing a bean instead would change the service: Boot writes its default user's password for a service that has
 * none. Spring Security hands each {@link ProviderManager} that it builds, and no provider within, to the bean factory's
 * post-processors, so both are looked at here.
 */
final class ProviderEncoderPostProcessor implements BeanPostProcessor {

    /** A protected method of Spring Security's. It is looked up in the provider's own class, since a subclass may answer otherwise. */
    static final String ENCODER_GETTER = "getPasswordEncoder";

    /** A protected method too. */
    static final String ACCOUNTS_GETTER = "getUserDetailsService";

    private static final Logger LOG = LoggerFactory.getLogger(ProviderEncoderPostProcessor.class);

    private final ObjectProvider<LoginEncoders> encoders;
    private final LaterUpgrades upgrades;

    ProviderEncoderPostProcessor(ObjectProvider<LoginEncoders> encoders, LaterUpgrades upgrades) {
        this.encoders = encoders;
        this.upgrades = upgrades;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ProviderManager manager) {
            manager.getProviders().stream()
                    .filter(DaoAuthenticationProvider.class::isInstance)
                    .forEach(provider -> replaceEncoderOf((DaoAuthenticationProvider) provider));
        } else if (bean instanceof DaoAuthenticationProvider provider) {
            replaceEncoderOf(provider);
        }
        return bean;
    }

    private void replaceEncoderOf(DaoAuthenticationProvider provider) {
        PasswordEncoder encoder = encoderOf(provider);
        if (encoder instanceof ProviderEncoder) {
            return;
        }
        boolean isBean = LoginEncoders.of(encoder).isPresent();
        LoginEncoder login = encoders.getObject().around(encoder);
        // Its accounts are asked for later: a service may not have set them yet.
        provider.setPasswordEncoder(new ProviderEncoder(
                login, hash -> upgrades.takeOver((UserDetailsService) asked(provider, ACCOUNTS_GETTER), login, hash)));
        if (!isBean) {
            LOG.info(
                    "The encoder of a {} ({}) is {}",
                    provider.getClass().getSimpleName(),
                    encoder.getClass().getSimpleName(),
                    login.isCached() ? "behind the credential cache" : "not cached");
        }
    }

    /** What the provider compares by. */
    static PasswordEncoder encoderOf(DaoAuthenticationProvider provider) {
        return (PasswordEncoder) Objects.requireNonNull(asked(provider, ENCODER_GETTER));
    }

    private static @Nullable Object asked(DaoAuthenticationProvider provider, String name) {
        Method getter = Objects.requireNonNull(ReflectionUtils.findMethod(provider.getClass(), name));
        ReflectionUtils.makeAccessible(getter);
        return ReflectionUtils.invokeMethod(getter, provider);
    }
}
