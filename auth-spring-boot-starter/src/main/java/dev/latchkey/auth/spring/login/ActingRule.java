package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Subject;

/**
 * Decides which account may act as another account. A bean of this type enables {@link ActingTokens}. Without the bean,
 * no account may act as another account.
 *
 * <pre>{@code
 * @Bean
 * ActingRule acting() {
 *     return (actor, account) -> actor.authorities().contains("ROLE_SUPPORT") && !account.authorities().contains("ROLE_ADMIN");
 * }
 * }</pre>
 *
 * <p>Compare both accounts: an actor that acts as an administrator has all rights of the administrator. Safe for use by
 * any number of threads.
 */
@FunctionalInterface
public interface ActingRule {

    /**
     * Whether the actor may act as the account.
     *
     * @param actor the owner of the present session, with authorities
     * @param account the other account, with its current authorities
     * @return false to reject
     */
    boolean mayAct(Subject actor, Subject account);
}
