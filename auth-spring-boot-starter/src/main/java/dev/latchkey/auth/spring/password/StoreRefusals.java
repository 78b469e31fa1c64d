package dev.latchkey.auth.spring.password;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.InternalAuthenticationServiceException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Refusals that a store of accounts throws. Some applications tell by an exception that an account is disabled, before its password is looked at.
 *
 * <p>Spring's provider wraps such an exception as an error of its own: the answer costs no hash and counts as no attempt. So the answer's time
 * would tell which accounts are disabled. The managers made here reject such a login as a wrong password, at the cost of a hash. Safe for use by
 * any number of threads.
 */
public final class StoreRefusals {

    private final BeanFactory beans;

    /**
     * Refusals of the stores of a service.
     *
     * @param beans has the service's password encoder
     */
    public StoreRefusals(BeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Whether a store that throws this rejects the account. All else is an outage, an {@link AuthenticationServiceException} too.
     *
     * @param thrown by a {@code UserDetailsService} or its reactive twin
     * @return true for Spring Security's other exceptions
     */
    public static boolean isRejection(@Nullable Throwable thrown) {
        return thrown instanceof AuthenticationException && !(thrown instanceof AuthenticationServiceException);
    }

    /**
     * Whether a provider or manager that throws this was told of a rejection by its store.
     *
     * @param thrown by an authentication manager
     * @return true where {@link #isRejection} holds for what Spring's provider has wrapped
     */
    public static boolean isWrapped(AuthenticationException thrown) {
        return thrown instanceof InternalAuthenticationServiceException && isRejection(thrown.getCause());
    }

    /**
     * Has a manager reject what its store refuses.
     *
     * @param manager decides as it did otherwise
     * @return throws {@link BadCredentialsException} in these cases, after a hash
     */
    public AuthenticationManager around(AuthenticationManager manager) {
        return request -> {
            // Read now: a manager may change what it is shown.
            Object password = request.getCredentials();
            try {
                return manager.authenticate(request);
            } catch (InternalAuthenticationServiceException e) {
                if (!isWrapped(e)) {
                    throw e;
                }
                encoderOf(manager)
                        .ifPresent(encoder -> encoder.spendAHash(password instanceof CharSequence text ? text : null));
                throw new BadCredentialsException("Bad credentials", e);
            }
        };
    }

    /** The one that the manager's own accounts are compared by, else the service's only one. */
    private Optional<LoginEncoder> encoderOf(AuthenticationManager manager) {
        return manager instanceof ProviderManager providers
                ? providers.getProviders().stream()
                        .filter(DaoAuthenticationProvider.class::isInstance)
                        .map(provider -> ProviderEncoderPostProcessor.encoderOf((DaoAuthenticationProvider) provider))
                        .flatMap(encoder -> LoginEncoders.of(encoder).stream())
                        .findFirst()
                        .or(this::encoderOfTheService)
                : encoderOfTheService();
    }

    private Optional<LoginEncoder> encoderOfTheService() {
        return Optional.ofNullable(beans.getBeanProvider(PasswordEncoder.class).getIfUnique())
                .map(encoder -> LoginEncoders.around(encoder, beans.getBeanProvider(LoginEncoders.class)));
    }
}
