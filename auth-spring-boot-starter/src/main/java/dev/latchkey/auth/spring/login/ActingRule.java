package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Subject;

/**
 * Says who may act as another account. A bean of this type switches {@link ActingTokens} on; without the bean nobody may.
 *
 * <pre>{@code
 * @Bean
 * ActingRule acting() {
 *     return (actor, account) -> actor.authorities().contains("ROLE_SUPPORT") && !account.authorities().contains("ROLE_ADMIN");
 * }
 * }</pre>
 *
 * <p>Compare both: who may act as an administrator has all the rights of one. Safe for use by any number of threads.
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
