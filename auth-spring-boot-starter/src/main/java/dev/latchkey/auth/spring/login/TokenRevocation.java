package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.JwtDefect;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.StoreTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a token worthless, and with it the login that it belongs to where that one can be prolonged.
 *
 * <p>The revocation is recorded before anything else, and in the store itself. So it holds whatever the plugins or the store of logins answer, and
 * where no plugin reads tokens. All of it may be done again: after an outage a client sends the same request, and what was not done the first time is
 * done then. Safe for use by any number of threads.
 */
public final class TokenRevocation {

    private final AuthChain plugins;
    private final JwtVerifier verifier;
    private final RevocationStore revocations;
    private final @Nullable RefreshableLogins logins;

    TokenRevocation(
            AuthChain plugins, JwtVerifier verifier, RevocationStore revocations, @Nullable RefreshableLogins logins) {
        this.plugins = plugins;
        this.verifier = verifier;
        this.revocations = revocations;
        this.logins = logins;
    }

    /**
     * Revokes a token. Does nothing for one that is not good, unless all that is wrong with it is the time, by no more than {@link
     * LatchkeyJwtAutoConfiguration#SKEW_ALLOWANCE}.
     *
     * @param token what somebody sent: an access token, a refresh token, or what a plugin reads in the place of one
     * @throws AuthUnavailableException if a part of it could not be done
     */
    public void revoke(String token) {
        StoreTime time = StoreTime.ofARequest();
        RefreshableLogins inTime = logins == null ? null : logins.during(time);
        Optional<RefreshToken> refresh = RefreshToken.parse(token);
        if (inTime != null && refresh.isPresent()) {
            inTime.endByRefreshToken(refresh.get());
            return;
        }
        List<Credentials> own = readAsBearer(token);
        if (!own.isEmpty()) {
            plugins.revoke(own.get(0));
            return;
        }
        VerifiedJwt jwt = verified(token);
        if (jwt != null) {
            record(jwt, JwtRevocations.in(time.of(revocations)));
        }
        try {
            if (isText(token)) {
                plugins.revoke(BearerToken.of(token));
            }
        } finally {
            if (jwt != null && inTime != null) {
                endLoginOf(jwt, inTime);
            }
        }
    }

    /** Credentials of a plugin's own kind that come as bearer tokens, an API key say: no other plugin is shown those. */
    private List<Credentials> readAsBearer(String token) {
        return isText(token)
                ? plugins.read(RequestContext.none().withHeader("Authorization", "Bearer " + token))
                : List.of();
    }

    /**
     * The token if it is good on some node: by the clock of another one, which is ahead of this one's or behind it, it may be so already, or still. A
     * logout is told done here, and has to hold there.
     */
    private @Nullable VerifiedJwt verified(String token) {
        JwtResult result = verifier.verify(token);
        if (result instanceof JwtResult.Refused refused
                && (refused.defect() == JwtDefect.NOT_YET_VALID || refused.defect() == JwtDefect.EXPIRED)) {
            result = verifier.withSkew(LatchkeyJwtAutoConfiguration.SKEW_ALLOWANCE)
                    .verify(token);
        }
        return result.verified().orElse(null);
    }

    private static void record(VerifiedJwt jwt, JwtRevocations revocations) {
        // A verifier that allows for clock skew accepts a token beyond its exp, and so does a node whose clock is
        // behind: its revocation is kept as long.
        Instant end = jwt.expiresAt()
                .map(expiry -> expiry.plus(LatchkeyJwtAutoConfiguration.SKEW_ALLOWANCE))
                .orElse(Instant.MAX);
        revocations.revoke(jwt, end);
    }

    private static void endLoginOf(VerifiedJwt jwt, RefreshableLogins logins) {
        String subject = jwt.subject().orElse(null);
        if (subject != null && jwt.claims().get(JwtRevocations.SESSION_CLAIM) instanceof String session) {
            logins.end(session, subject);
        }
    }

    /** RFC 6750 section 2.1: visible ASCII. A JSON string may hold what no header field can bring. */
    private static boolean isText(String token) {
        return token.chars().allMatch(c -> c > 0x20 && c < 0x7f);
    }
}
