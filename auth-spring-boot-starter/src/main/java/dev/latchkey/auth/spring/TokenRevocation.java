package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a token worthless, and with it the login that it belongs to where that one can be prolonged. */
final class TokenRevocation {

    private final AuthChain plugins;
    private final JwtVerifier verifier;
    private final @Nullable RefreshableLogins logins;

    TokenRevocation(AuthChain plugins, JwtVerifier verifier, @Nullable RefreshableLogins logins) {
        this.plugins = plugins;
        this.verifier = verifier;
        this.logins = logins;
    }

    /** Does nothing for a token that is not good. */
    void revoke(String token) {
        Optional<RefreshToken> refresh = RefreshToken.parse(token);
        if (logins != null && refresh.isPresent()) {
            logins.endByRefreshToken(refresh.get());
            return;
        }
        if (logins != null) {
            logins.endByAccessToken(token, verifier);
        }
        if (token.chars().allMatch(TokenRevocation::mayBeInAToken)) {
            plugins.revoke(BearerToken.of(token));
        }
    }

    /** RFC 6750 section 2.1: visible ASCII. A JSON string may hold what no header field can bring. */
    private static boolean mayBeInAToken(int c) {
        return c > 0x20 && c < 0x7f;
    }
}
