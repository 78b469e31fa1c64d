package dev.latchkey.auth.spring.password;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Adds limits, cache and permits to the encoder inside an authentication provider. An encoder bean has these parts already. For
 * both kinds of encoders, adds the later replacement of outdated hashes.
 *
 * <p>Without a {@link PasswordEncoder} bean, Spring Security creates a delegating encoder in each {@link
 * DaoAuthenticationProvider}. A new bean would change the service: Boot stores its default user's password according to such a
 * bean. Spring Security passes each {@link ProviderManager} to the bean factory's post-processors, without the providers inside.
 * So this class handles managers and provider beans.
 */
record ProviderEncoders(LoginEncoders encoders, LaterUpgrades upgrades) {

    private static final String PROVIDER = "org.springframework.security.authentication.dao.DaoAuthenticationProvider";

    /** A protected method of Spring Security, looked up in the provider's own class, because a subclass may override the method. */
    private static final String ENCODER_GETTER = "getPasswordEncoder";

    /** A protected method too. */
    private static final String ACCOUNTS_GETTER = "getUserDetailsService";

    private static final Logger LOG = LoggerFactory.getLogger(ProviderEncoders.class);

    /** A service may have Spring Security's encoders without its providers. */
    static boolean areThere(@Nullable ClassLoader loader) {
        return ClassUtils.isPresent(PROVIDER, loader);
    }

    void replaceIn(Object bean) {
        if (bean instanceof ProviderManager manager) {
            manager.getProviders().stream()
                    .filter(DaoAuthenticationProvider.class::isInstance)
                    .forEach(provider -> replaceEncoderOf((DaoAuthenticationProvider) provider));
        } else if (bean instanceof DaoAuthenticationProvider provider) {
            replaceEncoderOf(provider);
        }
    }

    private void replaceEncoderOf(DaoAuthenticationProvider provider) {
        PasswordEncoder encoder = encoders.behind(encoderOf(provider));
        if (encoder instanceof ProviderEncoder) {
            return;
        }
        boolean isBean = LoginEncoders.of(encoder).isPresent();
        LoginEncoder login = encoders.around(encoder);
        // Accounts are looked up later, because a service may set the accounts after this point.
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

    /** The encoder of the provider. */
    static PasswordEncoder encoderOf(DaoAuthenticationProvider provider) {
        return (PasswordEncoder) Objects.requireNonNull(asked(provider, ENCODER_GETTER));
    }

    private static @Nullable Object asked(DaoAuthenticationProvider provider, String name) {
        Method getter = Objects.requireNonNull(ReflectionUtils.findMethod(provider.getClass(), name));
        ReflectionUtils.makeAccessible(getter);
        return ReflectionUtils.invokeMethod(getter, provider);
    }

    /** The getters for a native image, where reflection reaches registered methods only. */
    static final class Hints implements RuntimeHintsRegistrar {

        private static final Set<String> REACHED = Set.of(ENCODER_GETTER, ACCOUNTS_GETTER);

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            if (!areThere(classLoader)) {
                return;
            }
            ReflectionUtils.doWithLocalMethods(DaoAuthenticationProvider.class, method -> {
                if (REACHED.contains(method.getName())) {
                    hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
                }
            });
        }
    }
}
