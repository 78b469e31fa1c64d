package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.nacos.codes.CodesStep;
import dev.latchkey.nacos.settings.RoleRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Identifies users by a token, by a name and a password, or by other credentials that a source reads from a request.
 * Safe for use by any number of threads.
 *
 * <p>An empty answer gives no reason: an unknown user, a wrong password and an expired token look the same.
 */
final class NacosLogins {

    /** A user after a login. */
    record Login(LatchkeyUser user, long secondsLeft) {}

    private static final String PREFIX = "Bearer ";

    private final AuthChain chain;
    private final AccessTokens tokens;
    private final OtherTokens others;
    private final NacosRoleService roles;
    private final RoleRules rules;
    private final RequestThreads onRequestThread;
    private final List<CodesStep> codes;

    NacosLogins(
            AuthChain chain,
            AccessTokens tokens,
            OtherTokens others,
            NacosRoleService roles,
            RoleRules rules,
            RequestThreads onRequestThread) {
        this.chain = chain;
        this.tokens = tokens;
        this.others = others;
        this.roles = roles;
        this.rules = rules;
        this.onRequestThread = onRequestThread;
        this.codes = chain.plugins().stream()
                .filter(CodesStep.class::isInstance)
                .map(CodesStep.class::cast)
                .toList();
    }

    /**
     * Issues a token for a password, and for a code if the account needs a code.
     *
     * @param code null if the form has no field for the code; the code may then follow the password
     * @throws AuthUnavailableException if a limit rejects the login, or a source cannot decide
     */
    Optional<Login> login(@Nullable String username, @Nullable String password, @Nullable String code) {
        if (username == null || password == null) {
            return Optional.empty();
        }
        int behind = code == null ? beginOfCode(username, password) : -1;
        Optional<Authenticated> login = behind < 0
                ? decided(username, password, code)
                : decided(username, password.substring(0, behind), password.substring(behind));
        return login.flatMap(tokens::issue).flatMap(this::byToken);
    }

    private int beginOfCode(String username, String password) {
        return codes.stream()
                .flatMap(step -> step.codeBehind(username, password, this::isOfServer).stream())
                .findFirst()
                .orElse(-1);
    }

    private boolean isOfServer(String username) {
        return chain.plugins().stream()
                .anyMatch(plugin -> plugin instanceof Passwords users && users.hasUser(username));
    }

    /**
     * The user of this token, from this plugin or from another issuer.
     *
     * @throws AuthUnavailableException if a user's stored password cannot be read, or a source cannot decide
     */
    Optional<Login> byToken(String token) {
        return tokens.check(token)
                .map(verified -> new Login(user(verified, token), tokens.secondsLeft(verified)))
                .or(() -> others.check(token).map(login -> new Login(user(login, token), others.secondsLeft(login))));
    }

    /**
     * The user with this password, for a request with a password instead of a token.
     *
     * @throws AuthUnavailableException as {@link #login}
     */
    Optional<LatchkeyUser> byPassword(@Nullable String username, @Nullable String password) {
        if (username == null || username.isBlank() || password == null || password.isBlank()) {
            return Optional.empty();
        }
        return onRequestThread.run(
                username, () -> decided(username, password, null).map(login -> user(login, "")));
    }

    /**
     * The user of credentials that a source reads from the header fields of this thread's call, such as an API key.
     *
     * @throws AuthUnavailableException if a source cannot decide
     */
    Optional<LatchkeyUser> byHeaderFields() {
        for (Credentials credentials : chain.readers().of(CurrentCall.currentContext())) {
            Optional<LatchkeyUser> user = decided(credentials, Secret.of("")).map(login -> user(login, ""));
            if (user.isPresent()) {
                return user;
            }
        }
        return Optional.empty();
    }

    /**
     * Revokes a valid token on this node.
     *
     * @return false for an invalid token
     */
    boolean logout(String token) {
        Optional<VerifiedJwt> own = tokens.check(token);
        if (own.isPresent()) {
            tokens.revoke(own.get());
            return true;
        }
        Optional<Authenticated> other = others.check(token);
        other.ifPresent(login -> others.revoke(token, login));
        return other.isPresent();
    }

    /** Revokes all tokens of a subject on this node. The caches of other sources drop the subject's verified passwords. */
    void logoutAll(String subject) {
        tokens.revokeAll(subject);
        boolean unused = chain.revokeAll(subject, Instant.now());
    }

    /** The token in the value of an {@code Authorization} header field, if present. */
    static Optional<String> bearer(@Nullable String authorization) {
        return authorization != null && authorization.startsWith(PREFIX)
                ? Optional.of(authorization.substring(PREFIX.length()).trim())
                : Optional.empty();
    }

    private Optional<Authenticated> decided(String username, String password, @Nullable String code) {
        if (username.isBlank() || password.isBlank()) {
            return Optional.empty();
        }
        Secret secret;
        Secret shown;
        try {
            secret = Secret.of(password);
            shown = Secret.of(code == null ? "" : code);
        } catch (IllegalArgumentException e) {
            // The text has half of a surrogate pair. No password can be stored in this form.
            return Optional.empty();
        }
        return decided(new PasswordCredentials(username, secret), shown);
    }

    /** A login without a needed code is rejected, as after a wrong password. */
    private Optional<Authenticated> decided(Credentials credentials, Secret code) {
        Verdict verdict = chain.authenticate(credentials, CurrentCall.currentContext());
        if (verdict instanceof Challenged challenge && code.length() > 0) {
            // After the step, the code would be used up, and the client repeats the login with the same code.
            tokens.requireNoRevocation(challenge.soFar());
            verdict = chain.authenticate(new ChallengeResponse(challenge, code), CurrentCall.currentContext());
        }
        return verdict instanceof Authenticated login ? Optional.of(login) : Optional.empty();
    }

    private LatchkeyUser user(VerifiedJwt verified, String token) {
        return user(verified.subject().orElseThrow(), token, tokens.rolesOf(verified));
    }

    private LatchkeyUser user(Authenticated login, String token) {
        String source = login.plugin();
        return user(login.subject().id(), token, rules.rolesFor(source, rules.factsOf(source, login.subject())));
    }

    private LatchkeyUser user(String username, String token, Set<String> mappedRoles) {
        return new LatchkeyUser(username, token, mappedRoles, () -> roles.hasGlobalAdminRole(username));
    }
}
