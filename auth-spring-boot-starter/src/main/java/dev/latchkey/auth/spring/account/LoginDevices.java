package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.RequestContext;
import java.util.Optional;

/**
 * What the service calls the device of a login. A bean of this type is asked for each login. What it says is recorded and shown to the
 * account's owner; without such a bean nothing is recorded.
 *
 * <pre>{@code
 * @Bean
 * LoginDevices devices() {
 *     return request -> request.headers().values("X-App").stream().findFirst().filter(Set.of("phone", "desktop")::contains);
 * }
 * }</pre>
 *
 * <p>Anybody can write a header field. Where {@code latchkey.login.when-full} is {@code end-oldest-of-device} each name has places of its
 * own, so there should be few names, and the service's own. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface LoginDevices {

    /**
     * Names the device of a login, or its kind. Called on the thread of the login, once its credentials are right; what it throws ends the login as
     * an error of the service.
     *
     * @param request of the login
     * @return the first 200 characters of it are recorded; empty where nothing is to be
     */
    Optional<String> nameOf(RequestContext request);
}
