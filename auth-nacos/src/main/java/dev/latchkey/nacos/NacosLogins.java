package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.VerifiedJwt;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who somebody is, by a token or by a name and a password. Safe for use by any number of threads.
 *
 * <p>Empty answers do not say why: an unknown user, a wrong password and a token that has ended are told alike.
 */
final class NacosLogins {

    /** Somebody who logged in. */
    record Login(LatchkeyUser user, long secondsLeft) {}

    private static final String PREFIX = "Bearer ";

    private final Passwords passwords;
    private final AccessTokens tokens;
    private final NacosRoleService roles;

    NacosLogins(Passwords passwords, AccessTokens tokens, NacosRoleService roles) {
        this.passwords = passwords;
        this.tokens = tokens;
        this.roles = roles;
    }

    /**
     * Gives a token for a password.
     *
     * @throws AuthUnavailableException as {@link Passwords#hashMatching}
     */
    Optional<Login> login(@Nullable String username, @Nullable String password) {
        if (username == null || username.isBlank() || password == null || password.isBlank()) {
            return Optional.empty();
        }
        return passwords.hashMatching(username, password).flatMap(hash -> byToken(tokens.issue(username, hash)));
    }

    /**
     * Whose token this is.
     *
     * @throws AuthUnavailableException as {@link AccessTokens#check}
     */
    Optional<Login> byToken(String token) {
        return tokens.check(token).map(verified -> new Login(user(verified, token), tokens.secondsLeft(verified)));
    }

    /**
     * Whose password this is, for a request that shows it in place of a token.
     *
     * @throws AuthUnavailableException as {@link Passwords#hashMatching}
     */
    Optional<LatchkeyUser> byPassword(@Nullable String username, @Nullable String password) {
        if (username == null || username.isBlank() || password == null || password.isBlank()) {
            return Optional.empty();
        }
        return passwords.hashMatching(username, password).map(hash -> user(username, ""));
    }

    /** Whether this is a good token, which then is none any more on this node; empty if it was none before. */
    Optional<Boolean> logout(String token) {
        return tokens.check(token).map(tokens::revoke);
    }

    /** The token in the value of an {@code Authorization} header field, if there is one. */
    static Optional<String> bearer(@Nullable String authorization) {
        return authorization != null && authorization.startsWith(PREFIX)
                ? Optional.of(authorization.substring(PREFIX.length()).trim())
                : Optional.empty();
    }

    private LatchkeyUser user(VerifiedJwt verified, String token) {
        return user(verified.subject().orElseThrow(), token);
    }

    private LatchkeyUser user(String username, String token) {
        return new LatchkeyUser(username, token, () -> roles.hasGlobalAdminRole(username));
    }
}
