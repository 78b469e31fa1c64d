package dev.latchkey.auth.spring.password;

import java.lang.reflect.Method;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
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

    /** Protected in Spring Security; asked of the provider's own class, since a subclass may answer otherwise. */
    public static final String ENCODER_GETTER = "getPasswordEncoder";

    private static final Logger LOG = LoggerFactory.getLogger(ProviderEncoderPostProcessor.class);

    private final ObjectProvider<LoginEncoders> encoders;

    ProviderEncoderPostProcessor(ObjectProvider<LoginEncoders> encoders) {
        this.encoders = encoders;
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
        provider.setPasswordEncoder(new ProviderEncoder(login));
        if (!isBean) {
            LOG.info(
                    "The encoder of a {} ({}) is {}",
                    provider.getClass().getSimpleName(),
                    encoder.getClass().getSimpleName(),
                    login.isCached() ? "behind the credential cache" : "not cached");
        }
    }

    private static PasswordEncoder encoderOf(DaoAuthenticationProvider provider) {
        Method getter = Objects.requireNonNull(ReflectionUtils.findMethod(provider.getClass(), ENCODER_GETTER));
        ReflectionUtils.makeAccessible(getter);
        return (PasswordEncoder) Objects.requireNonNull(ReflectionUtils.invokeMethod(getter, provider));
    }
}
