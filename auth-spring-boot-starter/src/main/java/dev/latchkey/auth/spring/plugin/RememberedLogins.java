package dev.latchkey.auth.spring.plugin;

/** The remember-me cookies of Spring Security with rows in the service's store. */
@FunctionalInterface
interface RememberedLogins {

    /**
     * Ends all cookies of this account.
     *
     * @param username as in {@code UserDetails}
     * @return whether the service has such a store
     */
    boolean end(String username);
}
