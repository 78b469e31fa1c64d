package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.RequestContext;
import java.util.Optional;

/**
 * Names the device of a login. A bean of this type is called for each login. The name is recorded and shown to the
 * account's owner; without such a bean nothing is recorded.
 *
 * <pre>{@code
 * @Bean
 * LoginDevices devices() {
 *     return request -> request.header("X-App").stream().findFirst().filter(Set.of("phone", "desktop")::contains);
 * }
 * }</pre>
 *
 * <p>Any client can write a header field. With {@code latchkey.login.when-full=end-oldest-of-device}, each name has a bound of its own.
 * Return few names, and only names of the service. Must be thread-safe.
 */
@FunctionalInterface
public interface LoginDevices {

    /**
     * Names the device of a login, or the kind of device. Called on the login's thread after the credentials were verified. An
     * exception ends the login as an error of the service.
     *
     * @param request the request of the login
     * @return the name, cut to 200 characters; empty to record no device
     */
    Optional<String> nameOf(RequestContext request);
}
