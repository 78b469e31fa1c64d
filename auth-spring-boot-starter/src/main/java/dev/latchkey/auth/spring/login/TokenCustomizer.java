package dev.latchkey.auth.spring.login;

/**
 * Changes the tokens of every login: lifetime, claims, audience, and the fields of the answer. Latchkey calls each bean of this
 * type at each login and each refresh, in the order of the beans.
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
 * <p>Options of a single call ({@link TokenIssuer}) win over the options of this bean. Safe for use by any number of threads.
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
