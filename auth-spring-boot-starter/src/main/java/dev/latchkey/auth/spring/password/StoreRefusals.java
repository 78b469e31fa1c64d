package dev.latchkey.auth.spring.password;

import dev.latchkey.auth.engine.CurrentLogin;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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
 * Rejections by a store of accounts. Some applications throw an exception for a disabled account, before the check of the
 * password.
 *
 * <p>Spring's provider wraps such an exception as an internal error: the answer costs no hash and counts as no attempt. So the
 * answer's time would reveal disabled accounts. The managers of this class reject such a login as a wrong password, at the cost
 * of a hash. Safe for use by any number of threads.
 */
public final class StoreRefusals {

    /** ER_CANT_AGGREGATE_2COLLATIONS and ER_CANNOT_CONVERT_STRING, the second of MySQL 8 alone. */
    private static final Set<Integer> MIXED_COLLATIONS = Set.of(1267, 3854);

    private static final int MOST_CAUSES = 10;

    private final BeanFactory beans;

    /**
     * For the stores of a service.
     *
     * @param beans with the service's password encoder
     */
    public StoreRefusals(BeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Whether an exception of a store rejects the account. All other exceptions are outages, an {@link
     * AuthenticationServiceException} too.
     *
     * @param thrown by a {@code UserDetailsService} or its reactive counterpart
     * @return true for Spring Security's other exceptions
     */
    public static boolean isRejection(@Nullable Throwable thrown) {
        return thrown instanceof AuthenticationException && !(thrown instanceof AuthenticationServiceException);
    }

    /**
     * Whether a database cannot compare the name with its rows, for example because its encoding lacks a character. Such a database
     * has no account of this name, and is well: as an outage, one login by anyone could report the database as down.
     *
     * @param thrown by a {@code UserDetailsService}
     * @return true for a data exception (SQLSTATE class 22), and for MySQL's and MariaDB's errors about mixed collations
     */
    public static boolean isAboutTheName(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .anyMatch(cause -> cause instanceof SQLException failure
                        && (String.valueOf(failure.getSQLState()).startsWith("22")
                                || MIXED_COLLATIONS.contains(failure.getErrorCode())));
    }

    /**
     * Whether the exception of a provider or manager wraps a rejection by its store.
     *
     * @param thrown by an authentication manager
     * @return true if {@link #isRejection} is true for the wrapped exception
     */
    public static boolean isWrapped(AuthenticationException thrown) {
        return thrown instanceof InternalAuthenticationServiceException && isRejection(thrown.getCause());
    }

    /**
     * Adds the rejections of the store to a manager.
     *
     * @param manager decides all other logins
     * @return throws {@link BadCredentialsException} for a rejection, after a hash
     */
    public AuthenticationManager around(AuthenticationManager manager) {
        return request -> {
            // Read now, because a manager may change the request.
            Object password = request.getCredentials();
            try {
                return manager.authenticate(request);
            } catch (InternalAuthenticationServiceException e) {
                if (!isWrapped(e)) {
                    throw e;
                }
                encoderOf(manager).ifPresent(encoder -> {
                    encoder.spendAHash(password instanceof CharSequence text ? text : null);
                    ComparedPassword.noteStandIn(CurrentLogin.here());
                });
                throw new BadCredentialsException("Bad credentials", e);
            }
        };
    }

    /** The encoder of the manager's own accounts, else the service's only encoder. */
    private Optional<LoginEncoder> encoderOf(AuthenticationManager manager) {
        return manager instanceof ProviderManager providers
                ? providers.getProviders().stream()
                        .filter(DaoAuthenticationProvider.class::isInstance)
                        .map(provider -> ProviderEncoders.encoderOf((DaoAuthenticationProvider) provider))
                        .flatMap(encoder -> LoginEncoders.of(encoder).stream())
                        .findFirst()
                        .or(this::encoderOfTheService)
                : encoderOfTheService();
    }

    private Optional<LoginEncoder> encoderOfTheService() {
        return Optional.ofNullable(beans.getBeanProvider(PasswordEncoder.class).getIfUnique())
                .map(encoder -> LoginEncoders.around(encoder, beans));
    }
}
