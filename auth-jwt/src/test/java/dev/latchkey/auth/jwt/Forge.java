package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Makes tokens with any header and any claims, by the JDK's own HMAC and Base64: independent of what is tested. */
final class Forge {

    static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);
    static final InstantSource CLOCK = InstantSource.fixed(NOW);
    static final byte[] KEY_BYTES = "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);
    static final HmacKey KEY = HmacKey.of(KEY_BYTES);
    static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

    private Forge() {}

    static JwtVerifier verifier() {
        return JwtVerifier.with(KEY).withTimeSource(CLOCK);
    }

    static JwtSigner signer() {
        return JwtSigner.with(KEY).withTimeSource(CLOCK);
    }

    /** These claims under the usual header. */
    static String token(String claims) {
        return token(HEADER, claims);
    }

    static String token(String header, String claims) {
        return signed(encoded(header) + "." + encoded(claims));
    }

    static String token(byte[] claims) {
        return signed(encoded(HEADER) + "." + encoded(claims));
    }

    /** Claims with an hour to live, after the given members. */
    static String claims(String members) {
        return "{" + members + (members.isEmpty() ? "" : ",") + "\"exp\":" + (NOW.getEpochSecond() + 3600) + "}";
    }

    static String signed(String signingInput) {
        return signingInput + "." + mac("HmacSHA256", KEY_BYTES, signingInput);
    }

    static String mac(String algorithm, byte[] key, String signingInput) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return encoded(mac.doFinal(signingInput.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The defect's code, or {@code verified}. */
    static String outcome(JwtResult result) {
        return result.fold(jwt -> "verified", JwtDefect::code);
    }

    static String outcome(String token) {
        return outcome(verifier().verify(token));
    }
}
