package dev.latchkey.nacos;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.Sha256;
import dev.latchkey.auth.store.RevocationStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * Tokens that this plugin has not issued. The sources check these tokens at each request. A logout is remembered on
 * this node, by a digest of the token. Safe for use by any number of threads.
 */
final class OtherTokens {

    /** Longer than any real token: a header field of the server has at most 8,192 characters. */
    private static final int MOST_CHARACTERS = 16_384;

    private static final Duration REMEMBERED = Duration.ofDays(30);

    private final AuthChain chain;
    private final RevocationStore revoked;
    private final InstantSource clock;

    OtherTokens(AuthChain chain, RevocationStore revoked, InstantSource clock) {
        this.chain = chain;
        this.revoked = revoked;
        this.clock = clock;
    }

    /**
     * The subject of the token; empty for a token that no source accepts, or with a space or a control character.
     *
     * @throws dev.latchkey.auth.AuthUnavailableException if a source cannot decide
     */
    Optional<Authenticated> check(String token) {
        if (token.length() > MOST_CHARACTERS || hasSpace(token) || !chain.decidesAbout(BearerToken.class)) {
            return Optional.empty();
        }
        return chain.authenticate(BearerToken.of(token), CurrentCall.currentContext()) instanceof Authenticated login
                        && !isRevoked(token, login)
                ? Optional.of(login)
                : Optional.empty();
    }

    /** A source may trim a token. The token without the space has another digest, so the logout would be missed. */
    private static boolean hasSpace(String token) {
        return token.chars().anyMatch(c -> c <= ' ');
    }

    private boolean isRevoked(String token, Authenticated login) {
        return revoked.isTokenRevoked(digestOf(token))
                || revoked.isSubjectRevoked(
                        login.subject().id(), login.factors().at());
    }

    /** Revokes the token on this node. */
    void revoke(String token, Authenticated login) {
        Instant remembered = clock.instant().plus(REMEMBERED);
        Instant end = login.validUntil().isBefore(remembered) ? login.validUntil() : remembered;
        revoked.revokeTokenOf(login.subject().id(), digestOf(token), end);
    }

    /** The remaining lifetime in seconds; 30 days for a token without an end. */
    long secondsLeft(Authenticated login) {
        return login.validUntil().equals(Instant.MAX)
                ? REMEMBERED.toSeconds()
                : Math.max(
                        0, Duration.between(clock.instant(), login.validUntil()).toSeconds());
    }

    /** Without the last part of a JOSE token: a signature or an authentication tag may have several forms. */
    private static String digestOf(String token) {
        String part = isJose(token) ? token.substring(0, token.lastIndexOf('.')) : token;
        byte[] digest = Sha256.of(part.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    /**
     * Whether the token is a JWS or a JWE: at least three parts, and the first part is a JSON object (RFC 7515 and RFC 7516,
     * section 3.1). In other forms, such as PASETO, the last part alone may distinguish two tokens.
     */
    private static boolean isJose(String token) {
        int header = token.indexOf('.');
        return header > 0 && header < token.lastIndexOf('.') && isJsonObject(token.substring(0, header));
    }

    private static boolean isJsonObject(String base64) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(base64), StandardCharsets.UTF_8).strip();
            return text.startsWith("{") && text.endsWith("}");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
