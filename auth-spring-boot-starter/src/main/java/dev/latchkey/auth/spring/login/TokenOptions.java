package dev.latchkey.auth.spring.login;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a single login's tokens. The defaults are {@code latchkey.jwt} and {@code latchkey.login}.
 *
 * <p>Immutable: each {@code with…} returns a changed copy. Safe for use by any number of threads.
 */
public final class TokenOptions {

    private static final TokenOptions DEFAULTS =
            new TokenOptions(null, null, null, Map.of(), List.of(), Set.of(), null, false, "");

    private final @Nullable Duration lifetime;
    private final @Nullable Duration sessionLifetime;
    private final @Nullable String audience;
    private final Map<String, Object> claims;
    private final List<Function<? super IssuedTokens, ? extends Map<String, ?>>> answers;
    private final Set<String> proved;
    private final @Nullable String account;
    private final boolean remembered;
    private final String client;

    private TokenOptions(
            @Nullable Duration lifetime,
            @Nullable Duration sessionLifetime,
            @Nullable String audience,
            Map<String, Object> claims,
            List<Function<? super IssuedTokens, ? extends Map<String, ?>>> answers,
            Set<String> proved,
            @Nullable String account,
            boolean remembered,
            String client) {
        this.lifetime = lifetime;
        this.sessionLifetime = sessionLifetime;
        this.audience = audience;
        this.claims = claims;
        this.answers = answers;
        this.proved = proved;
        this.account = account;
        this.remembered = remembered;
        this.client = client;
    }

    /**
     * Options that change nothing.
     *
     * @return the same object each time
     */
    public static TokenOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets the lifetime of the access token.
     *
     * @param lifetime at least a second, at most {@code latchkey.jwt.max-lifetime}: a longer lifetime ends the login as an error
     *     of the service, because revocations expire earlier
     * @return a changed copy
     */
    public TokenOptions withLifetime(Duration lifetime) {
        return new TokenOptions(
                Objects.requireNonNull(lifetime),
                sessionLifetime,
                audience,
                claims,
                answers,
                proved,
                account,
                remembered,
                client);
    }

    /**
     * Ends the session of the refresh token earlier than {@code latchkey.login.refresh.lifetime}.
     *
     * @param lifetime counted from the login; a longer lifetime than the property has no effect
     * @return a changed copy
     */
    public TokenOptions withSessionLifetime(Duration lifetime) {
        return new TokenOptions(
                this.lifetime,
                Objects.requireNonNull(lifetime),
                audience,
                claims,
                answers,
                proved,
                account,
                remembered,
                client);
    }

    /**
     * Sets the audience ({@code aud}) in place of {@code latchkey.jwt.audience}. This service then accepts the token only if its own verifier expects this
     * audience.
     *
     * @param audience the name of another service
     * @return a changed copy
     */
    public TokenOptions withAudience(String audience) {
        return new TokenOptions(
                lifetime,
                sessionLifetime,
                Objects.requireNonNull(audience),
                claims,
                answers,
                proved,
                account,
                remembered,
                client);
    }

    /**
     * Adds a claim to the access token, in place of a claim of the subject with the same name. Every bearer of the token can read
     * the claim.
     *
     * @param name not a reserved name such as {@code sub} or {@code authorities}
     * @param value a string, a number, a boolean or a list of strings
     * @return a changed copy
     */
    public TokenOptions withClaim(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(claims);
        more.put(name, Objects.requireNonNull(value, "value"));
        return new TokenOptions(
                lifetime, sessionLifetime, audience, more, answers, proved, account, remembered, client);
    }

    /**
     * Adds fields to the answer of the login, beside {@code access_token} and the other fields of OAuth.
     *
     * @param fields called once the tokens are made; values are strings, numbers, booleans, lists and maps
     * @return a changed copy
     */
    public TokenOptions withAnswer(Function<? super IssuedTokens, ? extends Map<String, ?>> fields) {
        return new TokenOptions(
                lifetime,
                sessionLifetime,
                audience,
                claims,
                Stream.concat(answers.stream(), Stream.of(fields)).toList(),
                proved,
                account,
                remembered,
                client);
    }

    /**
     * States that the login has proved a method. A step by this method is then not asked, and the token's {@code amr} names the method.
     *
     * @param method as RFC 8176 names it, such as {@code otp}
     * @return a changed copy
     */
    public TokenOptions withProved(String method) {
        Set<String> more = new LinkedHashSet<>(proved);
        more.add(method);
        return new TokenOptions(
                lifetime, sessionLifetime, audience, claims, answers, more, account, remembered, client);
    }

    /**
     * Sets the account of the login: an account of this service. Without this call, a login by OAuth2, OpenID Connect or SAML has
     * a subject of its own, {@code oauth2:registration:id}, and no refresh token. The account is looked up: a disabled account
     * gets no token.
     *
     * @param account the id of the account as the service names its subjects
     * @return a changed copy
     */
    public TokenOptions asAccount(String account) {
        return new TokenOptions(
                lifetime,
                sessionLifetime,
                audience,
                claims,
                answers,
                proved,
                Objects.requireNonNull(account),
                remembered,
                client);
    }

    /** The client's wish at the login endpoint. */
    TokenOptions rememberingMe() {
        return new TokenOptions(lifetime, sessionLifetime, audience, claims, answers, proved, account, true, client);
    }

    /** These options; values of the later options win. */
    TokenOptions and(TokenOptions later) {
        Map<String, Object> all = new LinkedHashMap<>(claims);
        all.putAll(later.claims);
        Set<String> methods = new LinkedHashSet<>(proved);
        methods.addAll(later.proved);
        return new TokenOptions(
                later.lifetime == null ? lifetime : later.lifetime,
                later.sessionLifetime == null ? sessionLifetime : later.sessionLifetime,
                later.audience == null ? audience : later.audience,
                all,
                Stream.concat(answers.stream(), later.answers.stream()).toList(),
                methods,
                later.account == null ? account : later.account,
                remembered || later.remembered,
                later.client.isEmpty() ? client : later.client);
    }

    /**
     * The lifetime of the access token.
     *
     * @return empty for {@code latchkey.jwt.lifetime}
     */
    public Optional<Duration> lifetime() {
        return Optional.ofNullable(lifetime);
    }

    Optional<Duration> sessionLifetime() {
        return Optional.ofNullable(sessionLifetime);
    }

    /**
     * The audience of the access token.
     *
     * @return empty for {@code latchkey.jwt.audience}
     */
    public Optional<String> audience() {
        return Optional.ofNullable(audience);
    }

    /**
     * The additional claims beside the subject's claims.
     *
     * @return by name
     */
    public Map<String, Object> claims() {
        return claims;
    }

    Set<String> proved() {
        return proved;
    }

    Optional<String> account() {
        return Optional.ofNullable(account);
    }

    /** For this registered client of the token endpoint: its tokens name the client, and its refresh token is good for this client alone. */
    TokenOptions ofClient(String id) {
        return new TokenOptions(lifetime, sessionLifetime, audience, claims, answers, proved, account, remembered, id);
    }

    /** The registered client of this login; empty for a login without one. */
    String client() {
        return client;
    }

    boolean isRemembered() {
        return remembered;
    }

    /** Whether a refresh could not repeat these options: the store keeps no options. */
    boolean areOfOneToken() {
        return audience != null || !claims.isEmpty();
    }

    /** The further fields of the answer. */
    Map<String, Object> answerTo(IssuedTokens tokens) {
        Map<String, Object> fields = new LinkedHashMap<>();
        answers.forEach(answer -> fields.putAll(answer.apply(tokens)));
        return fields;
    }
}
