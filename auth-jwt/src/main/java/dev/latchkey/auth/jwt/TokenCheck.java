package dev.latchkey.auth.jwt;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks one token against the keys, the type and the policy of a verifier, in the documented order of
 * {@link JwtVerifier}.
 *
 * <p>Works on {@link TokenBuffers}, so a rejected token allocates nothing. An accepted token gets a copy of its claims.
 */
final class TokenCheck {

    final RotatingKeys keys;
    final InstantSource clock;

    @Nullable
    final String type;

    final ClaimsPolicy policy;

    /** The keys of the last ring; computed again after a rotation. */
    private volatile VerifyingKeys verifyingKeys;

    TokenCheck(RotatingKeys keys, InstantSource clock, @Nullable String type, ClaimsPolicy policy) {
        this.keys = keys;
        this.clock = clock;
        this.type = type;
        this.policy = policy;
        this.verifyingKeys = verifyingKeysOf(keys.ring());
    }

    /** Checks the first {@code length} bytes of the token in these buffers. */
    JwtResult verify(TokenBuffers buffers, int length) {
        long now = clock.millis();
        VerifyingKeys.Candidate signer = currentKeys().signerOf(buffers, length, now);
        byte[] token = buffers.token();
        if (signer == null) {
            return new JwtResult.Refused(
                    CompactForm.isThreeParts(token, length) ? JwtDefect.BAD_MAC : JwtDefect.MALFORMED);
        }
        int claimsEnd = signer.dotBeforeMac(token, length);
        int claimsStart = signer.claimsAfterOwnHeader(token, length);
        byte[] header = signer.headerJson;
        if (claimsStart == 0) {
            claimsStart = CompactForm.indexOfDot(token, 0, claimsEnd) + 1;
            header = claimsStart > claimsEnd ? null : CompactForm.header(token, claimsStart - 1);
            if (header == null) {
                return new JwtResult.Refused(JwtDefect.MALFORMED);
            }
            JwtDefect defect = JoseHeader.check(header, buffers.scanner(), signer.key.algorithm(), type);
            if (defect != null) {
                return new JwtResult.Refused(defect);
            }
        }
        byte[] payload = buffers.payload(length);
        int payloadLength = CompactForm.decode(token, claimsStart, claimsEnd, payload);
        return payloadLength == Base64Url.NOT_BASE64URL
                ? new JwtResult.Refused(JwtDefect.MALFORMED)
                : verifyClaims(buffers, header, payload, payloadLength, now, signer.end);
    }

    private JwtResult verifyClaims(
            TokenBuffers buffers, byte[] header, byte[] payload, int length, long now, Instant endOfKey) {
        JsonScanner scanner = buffers.scanner();
        RegisteredClaims claims = buffers.claims();
        int members = 0;
        if (policy.asksForNames() || !PlainClaims.read(payload, length, claims)) {
            members = scanner.scan(payload, length);
            if (members == JsonPosition.DEFECT) {
                return new JwtResult.Refused(JwtDefect.MALFORMED_CLAIMS);
            }
            JwtDefect illTyped = claims.read(payload, scanner, members);
            if (illTyped != null) {
                return new JwtResult.Refused(illTyped);
            }
        }
        JwtDefect defect = policy.check(claims, payload, scanner, members, now);
        return defect == null
                ? new JwtResult.Verified(new VerifiedJwt(header, Arrays.copyOf(payload, length), claims, endOfKey))
                : new JwtResult.Refused(defect);
    }

    private VerifyingKeys currentKeys() {
        KeyRing ring = keys.ring();
        VerifyingKeys current = verifyingKeys;
        if (current.ring != ring) {
            current = verifyingKeysOf(ring);
            verifyingKeys = current;
        }
        return current;
    }

    private VerifyingKeys verifyingKeysOf(KeyRing ring) {
        return new VerifyingKeys(ring, type == null ? JoseHeader.DEFAULT_TYPE : type);
    }
}
