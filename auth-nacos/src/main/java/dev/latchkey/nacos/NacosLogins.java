package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.jwt.VerifiedJwt;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies users by a token or by a name and a password. Safe for use by any number of threads.
 *
 * <p>Empty answers have no reason: an unknown user, a wrong password and an expired token look the same.
 */
final class NacosLogins {

    /** A user after a login. */
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
     * Issues a token for a password.
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
     * The user of this token.
     *
     * @throws AuthUnavailableException as {@link AccessTokens#check}
     */
    Optional<Login> byToken(String token) {
        return tokens.check(token).map(verified -> new Login(user(verified, token), tokens.secondsLeft(verified)));
    }

    /**
     * The user with this password, for a request with a password instead of a token.
     *
     * @throws AuthUnavailableException as {@link Passwords#hashMatching}
     */
    Optional<LatchkeyUser> byPassword(@Nullable String username, @Nullable String password) {
        if (username == null || username.isBlank() || password == null || password.isBlank()) {
            return Optional.empty();
        }
        return passwords.hashMatching(username, password).map(hash -> user(username, ""));
    }

    /**
     * Revokes a valid token on this node and returns whether the revocation was possible; empty for an invalid token.
     */
    Optional<Boolean> logout(String token) {
        return tokens.check(token).map(tokens::revoke);
    }

    /** The token in the value of an {@code Authorization} header field, if present. */
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
