package dev.latchkey.benchmarks.services;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import org.jspecify.annotations.Nullable;

/** Tokens by auth-jwt. */
final class LatchkeyTokens implements Tokens {

    private final JwtSigner signer;
    private final JwtVerifier verifier;

    LatchkeyTokens(byte[] key) {
        HmacKey shared = HmacKey.of(key);
        this.signer = JwtSigner.with(shared);
        this.verifier = JwtVerifier.with(shared);
    }

    @Override
    public String issue(String subject) {
        return signer.sign(JwtClaims.forSubject(subject, LIFETIME));
    }

    @Override
    public @Nullable String subjectOf(String token) {
        return verifier.verify(token).verified().flatMap(VerifiedJwt::subject).orElse(null);
    }
}
