package dev.latchkey.auth.spring.login;

/**
 * Changes the tokens of every login: their lifetime, claims and audience, and the fields of the answer. A bean of this type is asked at each login and at
 * each refresh. Several beans are asked in their order.
 *
 * <pre>{@code
 * @Bean
 * TokenCustomizer customer() {
 *     return (login, options) -> login.details(Customer.class)
 *             .map(customer -> options.withClaim("customer", customer.number()))
 *             .orElse(options);
 * }
 * }</pre>
 *
 * <p>Options of a single call ({@link TokenIssuer}) win over those of this bean. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface TokenCustomizer {

    /**
     * The options of a login's tokens. Called on the thread of the login or refresh; an exception ends the login as an error of
     * the service.
     *
     * @param login the login, with the loaded account
     * @param options the options after the previous beans
     * @return the options with the changes
     */
    TokenOptions customize(TokenContext login, TokenOptions options);
}
