package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
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
import org.springframework.security.core.Authentication;

/**
 * The options of a single login's tokens. The defaults are {@code latchkey.jwt} and {@code latchkey.login}.
 *
 * <p>Immutable: each {@code with…} returns a changed copy. Safe for use by any number of threads.
 */
public final class TokenOptions {

    /** The shortest lifetime of an access token. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final TokenOptions DEFAULTS = new TokenOptions();

    private @Nullable Duration lifetime;
    private @Nullable Duration sessionLifetime;
    private @Nullable String audience;
    private Map<String, Object> claims = Map.of();
    private List<Function<? super IssuedTokens, ? extends Map<String, ?>>> answers = List.of();
    private Set<String> proved = Set.of();
    private @Nullable String account;
    private @Nullable Authentication login;
    private boolean remembered;
    private String client = "";

    private TokenOptions() {}

    /** A copy is changed only before another method sees the copy. */
    private TokenOptions copy() {
        TokenOptions copy = new TokenOptions();
        copy.lifetime = lifetime;
        copy.sessionLifetime = sessionLifetime;
        copy.audience = audience;
        copy.claims = claims;
        copy.answers = answers;
        copy.proved = proved;
        copy.account = account;
        copy.login = login;
        copy.remembered = remembered;
        copy.client = client;
        return copy;
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
     * @param lifetime at least a second, at most {@code latchkey.jwt.max-lifetime}. Another lifetime ends the login as an error
     *     of the service. A longer lifetime could outlast a revocation
     * @return a changed copy
     */
    public TokenOptions withLifetime(Duration lifetime) {
        TokenOptions copy = copy();
        copy.lifetime = Objects.requireNonNull(lifetime);
        return copy;
    }

    /**
     * Ends the session of the refresh token earlier than {@code latchkey.login.refresh.lifetime}.
     *
     * @param lifetime counted from the login; a longer lifetime than the property has no effect
     * @return a changed copy
     */
    public TokenOptions withSessionLifetime(Duration lifetime) {
        TokenOptions copy = copy();
        copy.sessionLifetime = Objects.requireNonNull(lifetime);
        return copy;
    }

    /**
     * Sets the audience ({@code aud}) in place of {@code latchkey.jwt.audience}. This service then accepts the token only if the
     * service's own verifier expects this audience.
     *
     * @param audience the name of another service
     * @return a changed copy
     */
    public TokenOptions withAudience(String audience) {
        TokenOptions copy = copy();
        copy.audience = Objects.requireNonNull(audience);
        return copy;
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
        TokenOptions copy = copy();
        copy.claims = new LinkedHashMap<>(claims);
        copy.claims.put(name, Objects.requireNonNull(value, "value"));
        return copy;
    }

    /**
     * Adds fields to the answer of the login or refresh, beside {@code access_token} and the other fields of OAuth.
     *
     * @param fields called after the tokens are made; values are strings, numbers, booleans, lists and maps. An answer with
     *     tokens in cookies omits a field with a token
     * @return a changed copy
     */
    public TokenOptions withAnswer(Function<? super IssuedTokens, ? extends Map<String, ?>> fields) {
        TokenOptions copy = copy();
        copy.answers = Stream.concat(answers.stream(), Stream.of(fields)).toList();
        return copy;
    }

    /**
     * States that the login has proved a method. A step by this method is then not asked. A login by several methods has all of
     * them in the token's {@code amr}. Not for a {@link TokenCustomizer}, because customizers run after the steps.
     *
     * @param method as RFC 8176 names it, such as {@code otp}
     * @return a changed copy
     */
    public TokenOptions withProved(String method) {
        TokenOptions copy = copy();
        copy.proved = new LinkedHashSet<>(proved);
        copy.proved.add(method);
        return copy;
    }

    /**
     * Sets the account of the login: an account of this service. The account is looked up: a disabled account gets no token. Not
     * for a {@link TokenCustomizer}, because customizers run after the choice of the account.
     *
     * <p>Without this call, a login by OAuth2, OpenID Connect or SAML has no refresh token. The subject is then named {@code
     * oauth2:registration:id} or {@code saml2:registration:id}, unless {@code latchkey.shared-subjects} names the source.
     *
     * @param account the id of the account as the service names its subjects
     * @return a changed copy
     */
    public TokenOptions asAccount(String account) {
        TokenOptions copy = copy();
        copy.account = Objects.requireNonNull(account);
        return copy;
    }

    /** For a client that asks to be remembered, at the login endpoint. */
    TokenOptions rememberingMe() {
        TokenOptions copy = copy();
        copy.remembered = true;
        return copy;
    }

    /**
     * Joins these options of the customizers and the options of a call. Values of the call win.
     *
     * @throws IllegalArgumentException if these options set a proved method or an account: the login is already decided
     */
    TokenOptions and(TokenOptions later) {
        if (!proved.isEmpty() || account != null) {
            throw new IllegalArgumentException(
                    "A TokenCustomizer calls withProved or asAccount, and the login is decided"
                            + " before its tokens; give these options to TokenIssuer");
        }
        TokenOptions both = later.copy();
        both.lifetime = later.lifetime == null ? lifetime : later.lifetime;
        both.sessionLifetime = later.sessionLifetime == null ? sessionLifetime : later.sessionLifetime;
        both.audience = later.audience == null ? audience : later.audience;
        both.claims = new LinkedHashMap<>(claims);
        both.claims.putAll(later.claims);
        both.answers = Stream.concat(answers.stream(), later.answers.stream()).toList();
        return both;
    }

    /**
     * The lifetime of the access token, by these options or else by the settings.
     *
     * @param settings the settings of the service
     * @return at least a second, at most {@code latchkey.jwt.max-lifetime}
     * @throws IllegalArgumentException if these options have another lifetime
     */
    public Duration lifetimeBy(LatchkeyProperties.Jwt settings) {
        Duration wanted = lifetime().orElse(settings.lifetime());
        if (wanted.compareTo(SHORTEST) < 0 || wanted.compareTo(settings.longestLifetime()) > 0) {
            throw new IllegalArgumentException("A login asks for tokens with a lifetime of " + wanted
                    + "; allowed are 1 second to " + settings.longestLifetime()
                    + ". Set latchkey.jwt.max-lifetime to the longest lifetime that a login may ask for");
        }
        return wanted;
    }

    Optional<Duration> lifetime() {
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

    /**
     * For a registered client of the token endpoint. The tokens name the client, and only this client can use the refresh
     * token.
     */
    TokenOptions ofClient(String id) {
        TokenOptions copy = copy();
        copy.client = id;
        return copy;
    }

    /** For a login decided outside the login endpoint: by Spring Security or the service. */
    TokenOptions ofLogin(Authentication decided) {
        TokenOptions copy = copy();
        copy.login = decided;
        return copy;
    }

    /** The login by Spring Security or the service; null at the login endpoint. */
    @Nullable
    Authentication login() {
        return login;
    }

    /** The id of the registered client; empty for a login without a client. */
    String client() {
        return client;
    }

    boolean isRemembered() {
        return remembered;
    }

    /** Whether there is an audience or a claim. A refresh could not repeat these options, because the store keeps no options. */
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
